import assert from "node:assert/strict";
import { test } from "node:test";
import { pageMessage } from "../../src/pageMessage";

test("messages of the page are read, and nothing else", () => {
  const place = { type: "open", file: "train.py", line: 3, column: 1, cell: 0 };
  assert.deepEqual(pageMessage(place), place);
  assert.equal(pageMessage({ ...place, line: "3" }), undefined);
  assert.equal(pageMessage({ type: "save", name: "../evil.sh", content: "" }), undefined);
  assert.deepEqual(pageMessage({ type: "save", name: "trace.png", content: "AA==" })?.type, "save");
  assert.equal(pageMessage(null), undefined);
});

test("a page may ask for the trace of a script", () => {
  assert.deepEqual(pageMessage({ type: "trace", file: "train.py", more: 1 }), { type: "trace", file: "train.py" });
  assert.equal(pageMessage({ type: "trace" }), undefined);
});
