import assert from "node:assert/strict";
import { test } from "node:test";
import { isAtLeast, releaseOf } from "../../src/version";

test("versions are compared number by number", () => {
  for (const [version, floor, expected] of [
    ["3.10.0", "3.10", true],
    ["3.9.18", "3.10", false],
    ["3.14.0rc2", "3.10", true],
    ["0.10.0", "0.9.3", true],
    ["1", "1.0.0", true],
    ["1.0", "1.0.1", false],
    ["unknown", "0.1", false],
    ["", "0.1", false],
  ] as const) {
    assert.equal(isAtLeast(version, floor), expected, `${version} >= ${floor}`);
  }
});

test("what stands behind the release is ignored", () => {
  assert.deepEqual(releaseOf("0.1.0.dev3+g12ab"), [0, 1, 0]);
});
