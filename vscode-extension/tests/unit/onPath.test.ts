import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { interpretersOnPath, isWithin, liesOutside } from "../../src/interpreter/onPath";

let root: string;

before(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "ddl-lint-path-"));
  for (const program of ["system/python3", "system/python", "workspace/bin/python3", "data/python3"]) {
    fs.mkdirSync(path.dirname(path.join(root, program)), { recursive: true });
    fs.writeFileSync(path.join(root, program), "#!/bin/sh\n", { mode: program.startsWith("data") ? 0o644 : 0o755 });
  }
  fs.mkdirSync(path.join(root, "links"));
  fs.symlinkSync(path.join(root, "workspace/bin/python3"), path.join(root, "links/python3"));
  fs.symlinkSync(path.join(root, "workspace"), path.join(root, "alias"));
  fs.symlinkSync(path.join(root, "system/python3"), path.join(root, "workspace/bin/linked"));
});
after(() => fs.rmSync(root, { recursive: true }));

function search(folders: string[], forbidden: string[] = []): string[] {
  const searchPath = folders.map((each) => (each.startsWith(".") ? each : path.join(root, each))).join(":");
  const found = interpretersOnPath({
    searchPath,
    platform: "linux",
    forbidden: forbidden.map((each) => path.join(root, each)),
  });
  return found.map(({ command }) => path.relative(root, command));
}

test("python3 comes before python, the first folder before the second", () => {
  assert.deepEqual(search(["workspace/bin", "system"]), ["workspace/bin/python3", "system/python"]);
});

test("relative folders and files that cannot be run are passed over", () => {
  assert.deepEqual(search([".", "./bin", "data", "system"]), ["system/python3", "system/python"]);
});

test("programs of the workspace are passed over where they are forbidden, by whatever way they are reached", () => {
  assert.deepEqual(search(["workspace/bin", "links", "alias/bin", "system"], ["workspace"]), [
    "system/python3",
    "system/python",
  ]);
});

test("a program of the workspace is known by its name, by its target and by its folder", () => {
  const forbidden = [path.join(root, "workspace")];
  assert.ok(liesOutside(path.join(root, "system/python3"), forbidden));
  for (const program of [
    "workspace/bin/python3",
    "workspace/bin/linked",
    "links/python3",
    "alias/bin/linked",
    "absent",
  ]) {
    assert.ok(!liesOutside(path.join(root, program), forbidden), program);
  }
  assert.ok(!liesOutside("python3", forbidden), "a bare name can be anything");
});

test("a folder lies within itself, a neighbour with a longer name does not", () => {
  assert.ok(isWithin("/a/b", "/a/b"));
  assert.ok(isWithin("/a/b/..c", "/a/b"));
  assert.ok(!isWithin("/a/bc", "/a/b"));
  assert.ok(!isWithin("/a", "/a/b"));
});
