import assert from "node:assert/strict";
import { test } from "node:test";
import type { Launch } from "../../src/launch";
import { inOneLine, troubleOf, troubleWithout } from "../../src/trouble";

const OLD = {
  what: "/opt/py38/bin/python (the setting ddl-lint.interpreter)",
  why: "is Python 3.8.1, and 3.10 or newer is needed",
};
const LAUNCH: Launch = {
  command: "/usr/bin/python3",
  args: [],
  description: "bundled, on Python 3.12.1",
  origin: "the PATH",
  passedOver: [],
};

test("a launch as the user wants it is no trouble, whatever else was tried", () => {
  assert.equal(troubleOf(LAUNCH, "0.1.0"), undefined);
  assert.equal(troubleOf({ ...LAUNCH, passedOver: [{ ...OLD, named: false }] }, "0.1.0"), undefined);
});

test("an interpreter of the settings that cannot be used: which one, why, what runs instead, what to do", () => {
  const trouble = troubleOf({ ...LAUNCH, passedOver: [{ ...OLD, named: true }] }, "0.1.0");
  assert.ok(trouble);
  assert.equal(trouble.title, "wrong interpreter");
  const text = inOneLine(trouble);
  for (const part of [
    "/opt/py38/bin/python",
    "is Python 3.8.1",
    "/usr/bin/python3",
    "Set ddl-lint.interpreter to a Python 3.10",
  ]) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
});

test("no interpreter at all", () => {
  assert.match(inOneLine(troubleWithout([])), /no Python interpreter was found\. Nothing is checked\. Set ddl-lint/);
  assert.match(inOneLine(troubleWithout([{ ...OLD, named: false }])), /not used: \/opt\/py38/);
});
