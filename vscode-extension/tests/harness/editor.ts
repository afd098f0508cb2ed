// What several suites do with the editor.
import assert from "node:assert/strict";
import * as path from "node:path";
import * as vscode from "vscode";

const LIMIT = 45_000; // milliseconds, on a busy machine

/** Asks until there is an answer that is neither false nor undefined. */
export async function until<T>(
  what: string,
  question: () => T | Promise<T>,
): Promise<Exclude<T, false | null | undefined>> {
  const end = Date.now() + LIMIT;
  for (;;) {
    const answer = await question();
    if (answer) {
      return answer as Exclude<T, false | null | undefined>;
    }
    assert.ok(Date.now() < end, `waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export function fileOf(...parts: string[]): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, "the window has a folder");
  return vscode.Uri.file(path.join(folder.uri.fsPath, ...parts));
}

export async function open(...parts: string[]): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(fileOf(...parts));
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

/** Our findings in a document. */
export function findings(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter((each) => each.source === "ddl-lint");
}

/** Waits for as many findings as there should be. */
export function findingsBecome(uri: vscode.Uri, count: number): Promise<vscode.Diagnostic[]> {
  return until(`${count} findings in ${uri.path}`, () => {
    const found = findings(uri);
    return found.length === count ? found : undefined;
  });
}

export async function edit(uri: vscode.Uri, change: (edit: vscode.WorkspaceEdit) => void): Promise<void> {
  const workspaceEdit = new vscode.WorkspaceEdit();
  change(workspaceEdit);
  assert.ok(await vscode.workspace.applyEdit(workspaceEdit), `the edit of ${uri.path} is applied`);
}

export function codeActions(uri: vscode.Uri, range: vscode.Range, kind: string): Thenable<vscode.CodeAction[]> {
  return vscode.commands.executeCommand("vscode.executeCodeActionProvider", uri, range, kind, 20);
}

/** Sets a setting of ours for the workspace. */
export async function set(name: string, value: unknown): Promise<void> {
  const settings = vscode.workspace.getConfiguration("ddl-lint");
  await settings.update(name, value, vscode.ConfigurationTarget.Workspace);
}

export async function debugInformation(): Promise<string> {
  await vscode.commands.executeCommand("ddl-lint.debugInformation");
  const editor = vscode.window.activeTextEditor;
  assert.equal(editor?.document.uri.scheme, "ddl-lint-text");
  const text = editor.document.getText();
  await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  return text;
}
