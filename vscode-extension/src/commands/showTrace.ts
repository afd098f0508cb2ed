// Show Rank Trace: what `ddl-lint trace` draws, beside the editor.
import * as path from "node:path";
import * as vscode from "vscode";
import { functionAt, functionsOf } from "../functions";
import { scriptOf } from "../jobsView";
import { Command, ServerCommand } from "../names";
import { askForPage, type Page, PagePanel } from "../pagePanel";
import type { Server } from "../server";

export function registerShowTrace(server: Server): vscode.Disposable {
  const panels = new Map<string, PagePanel>();

  const show = async (given?: unknown, functionName?: unknown, line?: unknown): Promise<void> => {
    const uri = given instanceof vscode.Uri ? given : (scriptOf(given) ?? vscode.window.activeTextEditor?.document.uri);
    if (!uri) {
      await vscode.window.showInformationMessage("Open a Python file first: its trace is what is shown.");
      return;
    }
    const isScript = typeof functionName === "string" || scriptOf(given) !== undefined;
    const chosen = isScript ? String(functionName ?? "") : await chooseFunction(uri);
    if (chosen === undefined) {
      return;
    }
    const at = typeof line === "number" ? line : undefined;
    const fetch = (): Promise<Page | undefined> =>
      askForPage(server, ServerCommand.trace, uri.toString(), "html", chosen, at);
    const key = `${uri.toString()}::${chosen}`;
    const open = panels.get(key);
    if (open) {
      if (at !== undefined) {
        await open.show(fetch);
      }
      open.reveal();
      return;
    }
    const page = await fetch();
    if (page !== undefined) {
      const title = `Trace: ${chosen || path.basename(uri.path)}`;
      const onClosed = (): unknown => panels.delete(key);
      panels.set(key, new PagePanel({ viewType: "ddl-lint.trace", title, fetch, follows: true, onClosed }, page));
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
