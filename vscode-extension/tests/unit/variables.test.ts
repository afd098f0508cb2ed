import assert from "node:assert/strict";
import { test } from "node:test";
import { expand, expandPath, type Surroundings } from "../../src/variables";

const here: Surroundings = {
  folder: "/projects/model",
  folders: new Map([
    ["model", "/projects/model"],
    ["data", "/projects/data"],
  ]),
  home: "/home/ada",
  environment: { CONDA_PREFIX: "/opt/conda" },
};
const nowhere: Surroundings = { ...here, folder: undefined, folders: new Map() };

test("variables are replaced", () => {
  assert.equal(expand("${workspaceFolder}/x", here), "/projects/model/x");
  assert.equal(expand("${workspaceFolder:data}/x", here), "/projects/data/x");
  assert.equal(expand("${workspaceFolderBasename}", here), "model");
  assert.equal(expand("${env:CONDA_PREFIX}/bin/python", here), "/opt/conda/bin/python");
  assert.equal(expand("a${env:NOT_SET}b", here), "ab");
  assert.equal(expand("${userHome}/x", here), "/home/ada/x");
  assert.equal(expand("~/x", here), "/home/ada/x");
  assert.equal(expand("~", here), "/home/ada");
});

test("what has no value is left for the error message", () => {
  assert.equal(expand("${workspaceFolder}/x", nowhere), "${workspaceFolder}/x");
  assert.equal(expand("${workspaceFolder:other}", here), "${workspaceFolder:other}");
  assert.equal(expand("${selectedText}", here), "${selectedText}");
  assert.equal(expand("~bob/x", here), "~bob/x");
});

test("relative paths start at the workspace folder, bare names are left to the PATH", () => {
  assert.equal(expandPath(".venv/bin/python", here), "/projects/model/.venv/bin/python");
  assert.equal(expandPath("  /usr/bin/python3 ", here), "/usr/bin/python3");
  assert.equal(expandPath("python3", here), "python3");
  assert.equal(expandPath(".venv/bin/python", nowhere), ".venv/bin/python");
  assert.equal(expandPath("", here), "");
});
