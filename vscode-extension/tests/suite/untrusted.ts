// A folder that is not trusted: nothing that it offers is run.
import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as vscode from "vscode";
import { debugInformation, fileOf, findings, open, until } from "../harness/editor";
import { suiteOf } from "../harness/run";

export const run = suiteOf("untrusted", () => {
  it("is not trusted", () => {
    assert.equal(vscode.workspace.isTrusted, false);
  });

  it("is checked by the bundled server, or not at all if there is none", async () => {
    const { uri } = await open("train.py");
    const text = await until("a decision", async () => {
      const told = await debugInformation();
      return /bundled, on Python|not used: /.test(told) && told;
    });
    assert.match(text, /restricted mode/);
    assert.doesNotMatch(text, /installed for Python/);
    if (text.includes("bundled, on Python")) {
      await until("findings", () => findings(uri).length >= 0);
    }
  });

  it("has run nothing of the folder", () => {
    assert.equal(fs.existsSync(fileOf("env", "bin", "was-run").fsPath), false);
  });
});
