// A folder without training code: nothing is started until there is some.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { debugInformation, edit, open, until } from "../harness/editor";
import { suiteOf } from "../harness/run";

export const run = suiteOf("quiet", () => {
  it("starts no server for Python that does not train", async () => {
    await open("report.py");
    const extension = vscode.extensions.getExtension("ddl-lint.ddl-lint");
    await until("the activation", () => extension?.isActive);
    assert.match(await debugInformation(), /ddl-lint: does not run/);
  });

  it("has its commands there nevertheless", async () => {
    const commands = await vscode.commands.getCommands(true);
    assert.ok(commands.includes("ddl-lint.restart") && !commands.includes("ddl-lint.server.trace"));
    await vscode.commands.executeCommand("ddl-lint.restart");
    assert.match(await debugInformation(), /ddl-lint: does not run/);
  });

  it("starts when the user imports a framework", async () => {
    const { uri } = await open("report.py");
    await edit(uri, (change) => change.insert(uri, new vscode.Position(0, 0), "import torch\n"));
    await until("the start", async () => !/ddl-lint: does not run/.test(await debugInformation()));
  });
});
