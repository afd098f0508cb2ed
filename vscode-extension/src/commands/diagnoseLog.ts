// Diagnose Log: what became of the job that wrote a log, with the lines of the code, beside it.
import * as path from "node:path";
import * as vscode from "vscode";
import { Command, ServerCommand } from "../names";
import { askForPage, type Page, PagePanel } from "../pagePanel";
import type { Server } from "../server";

export function registerDiagnoseLog(server: Server): vscode.Disposable {
  const panels = new Map<string, PagePanel>();

  const diagnose = async (given?: unknown): Promise<void> => {
    const log = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
    if (log?.scheme !== "file") {
      await vscode.window.showInformationMessage("Open a log first: the file is what is read.");
      return;
    }
    const folder = await folderOf(log);
    if (folder === undefined) {
      return;
    }
    if (!server.client) {
      await server.want();
    }
    const name = path.basename(log.path);
    const fetch = (): Promise<Page | undefined> =>
      askForPage(server, ServerCommand.diagnose, log.toString(), folder?.toString());
    const page = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: `ddl-lint: reading ${name} and the code` },
      fetch,
    );
    if (page === undefined) {
      return;
    }
    const open = panels.get(log.toString());
    if (open) {
      await open.show(() => Promise.resolve(page));
      open.reveal();
      return;
    }
    const onClosed = (): unknown => panels.delete(log.toString());
    const wish = { viewType: "ddl-lint.diagnosis", title: `Diagnosis: ${name}`, fetch, follows: false, onClosed };
    panels.set(log.toString(), new PagePanel(wish, page));
  };
  return vscode.Disposable.from(vscode.commands.registerCommand(Command.diagnoseLog, diagnose), {
    dispose: () => panels.forEach((panel) => panel.dispose()),
  });
}

/** The folder of the job's code: that around the log, else the one that the user chooses; undefined for none. */
async function folderOf(log: vscode.Uri): Promise<vscode.Uri | null | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const around = vscode.workspace.getWorkspaceFolder(log) ?? (folders.length === 1 ? folders[0] : undefined);
  if (around || folders.length === 0) {
    return around?.uri ?? null; // the server says why there is no answer without one
  }
  const placeHolder = "The folder with the code of the job";
  return (await vscode.window.showWorkspaceFolderPick({ placeHolder }))?.uri;
}
