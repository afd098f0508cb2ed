// Show rank trace: what `ddl-lint trace` draws, beside the editor.
import * as path from "node:path";
import * as vscode from "vscode";
import { Command } from "../names";
import type { Server } from "../server";
import { functionsOf } from "../tracePage";
import { fetchPage, TracePanel } from "../tracePanel";

export function registerShowTrace(server: Server): vscode.Disposable {
  const panels = new Map<string, TracePanel>();

  const show = async (given?: unknown, functionName?: unknown, line?: unknown): Promise<void> => {
    const uri = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
    if (!uri) {
      await vscode.window.showInformationMessage("Open a Python file first: its trace is what is shown.");
      return;
    }
    const chosen = typeof functionName === "string" ? functionName : await chooseFunction(uri);
    if (chosen === undefined) {
      return;
    }
    const traced = { uri, functionName: chosen, ...(typeof line === "number" ? { line } : {}) };
    const key = `${uri.toString()}::${chosen}`;
    const open = panels.get(key);
    if (open) {
      if (typeof line === "number") {
        await open.show(traced);
      }
      open.reveal();
      return;
    }
    const page = await fetchPage(server, traced);
    if (page !== undefined) {
      panels.set(key, new TracePanel(server, traced, page, () => panels.delete(key)));
    }
  };
  return vscode.Disposable.from(vscode.commands.registerCommand(Command.showTrace, show), {
    dispose: () => panels.forEach((panel) => panel.dispose()),
  });
}

async function chooseFunction(uri: vscode.Uri): Promise<string | undefined> {
  const document = await vscode.workspace.openTextDocument(uri);
  const functions = functionsOf(document.getText());
  if (functions.length === 0) {
    return "";
  }
  const whole = { label: "The whole file", description: path.basename(uri.path), name: "" };
  const items = [whole, ...functions.map((name) => ({ label: name, description: "", name }))];
  const chosen = await vscode.window.showQuickPick(items, { title: "What the ranks do together", placeHolder: "in" });
  return chosen?.name;
}
