import assert from "node:assert/strict";
import { test } from "node:test";
import { traceMessage } from "../../src/tracePage";

test("messages of the page are read, and nothing else", () => {
  const place = { type: "open", file: "train.py", line: 3, column: 1, cell: 0 };
  assert.deepEqual(traceMessage(place), place);
  assert.equal(traceMessage({ ...place, line: "3" }), undefined);
  assert.equal(traceMessage({ type: "save", name: "../evil.sh", content: "" }), undefined);
  assert.deepEqual(traceMessage({ type: "save", name: "trace.png", content: "AA==" })?.type, "save");
  assert.equal(traceMessage(null), undefined);
});
