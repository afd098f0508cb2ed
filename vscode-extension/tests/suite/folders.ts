// Several folders in one window, with the real server: each has its own settings.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { findings, findingsBecome } from "../harness/editor";
import { suiteOf } from "../harness/run";

export const run = suiteOf("folders", () => {
  it("gives each folder its own settings", async () => {
    const [north, south] = [await openIn("north"), await openIn("south")];
    await findingsBecome(north, 1);
    await findingsBecome(south, 0);
    await ignore("south", []);
    await findingsBecome(south, 1);
    await ignore("north", ["DDL402"]);
    await findingsBecome(north, 0);
    assert.equal(findings(south).length, 1);
    await ignore("north", undefined);
    await findingsBecome(north, 1);
  });

  it("follows folders that are taken out and put in", async () => {
    const south = await openIn("south");
    await ignore("south", ["missing-set-epoch"]);
    await findingsBecome(south, 0);
    const folder = folderOf("south");
    // Outside of all folders, the settings of the window count.
    assert.ok(vscode.workspace.updateWorkspaceFolders(folder.index, 1));
    await findingsBecome(south, 1);
    assert.ok(vscode.workspace.updateWorkspaceFolders(1, 0, { uri: folder.uri }));
    await findingsBecome(south, 0);
  });
});

function folderOf(name: string): vscode.WorkspaceFolder {
  const folder = vscode.workspace.workspaceFolders?.find((each) => each.name === name);
  assert.ok(folder, `the window has the folder ${name}`);
  return folder;
}

async function openIn(name: string): Promise<vscode.Uri> {
  const uri = vscode.Uri.joinPath(folderOf(name).uri, "train.py");
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
  return uri;
}

async function ignore(name: string, rules: string[] | undefined): Promise<void> {
  const settings = vscode.workspace.getConfiguration("ddl-lint", folderOf(name).uri);
  await settings.update("ignore", rules, vscode.ConfigurationTarget.WorkspaceFolder);
}
