// Show Rank Trace: what `ddl-lint trace` draws, beside the editor.
import * as path from "node:path";
import * as vscode from "vscode";
import { functionAt, functionsOf } from "../functions";
import { Command } from "../names";
import type { Server } from "../server";
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
  const editor = vscode.window.visibleTextEditors.find((each) => each.document.uri.toString() === uri.toString());
  const here = editor && functionAt(functions, editor.selection.active.line);
  const whole = { label: "The whole file", description: path.basename(uri.path), name: "" };
  const first = here ? [{ label: here.name, description: "at the cursor", name: here.name }, whole] : [whole];
  const others = functions.filter((each) => each !== here);
  const items = [...first, ...others.map(({ name }) => ({ label: name, description: "", name }))];
  const chosen = await vscode.window.showQuickPick(items, { title: "Show rank trace", placeHolder: "of" });
  return chosen?.name;
}
