// Show What the Ranks Do Together: the picture of `ddl-lint trace`, beside the editor.
import * as path from "node:path";
import * as vscode from "vscode";
import { Command, ServerCommand } from "../names";
import type { Server } from "../server";
import { functionsOf, tracePage } from "../tracePage";
import { ask } from "./ask";

export function registerShowTrace(server: Server): vscode.Disposable {
  const panels = new Map<string, vscode.Disposable & { reveal(): void }>();

  const show = async (given?: unknown, functionName?: unknown): Promise<void> => {
    const uri = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
    if (!uri) {
      await vscode.window.showInformationMessage("Open a Python file first: its trace is what is shown.");
      return;
    }
    const chosen = typeof functionName === "string" ? functionName : await chooseFunction(uri);
    if (chosen === undefined) {
      return;
    }
    const key = `${uri.toString()}::${chosen}`;
    const open = panels.get(key);
    if (open) {
      open.reveal();
      return;
    }
    const page = await fetchPage(server, uri, chosen);
    if (page !== undefined) {
      panels.set(
        key,
        openPanel(server, uri, chosen, page, () => panels.delete(key)),
      );
    }
  };
  return vscode.Disposable.from(vscode.commands.registerCommand(Command.showTrace, show), {
    dispose: () => panels.forEach((panel) => panel.dispose()),
  });
}

function openPanel(
  server: Server,
  uri: vscode.Uri,
  functionName: string,
  first: string,
  onClosed: () => void,
): vscode.Disposable & { reveal(): void } {
  let html = first;
  const title = `Trace: ${functionName || path.basename(uri.path)}`;
  const panel = vscode.window.createWebviewPanel(
    "ddl-lint.trace",
    title,
    { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    { enableScripts: false, enableForms: false, localResourceRoots: [], enableFindWidget: true },
  );
  const paint = (): void => {
    const kind = vscode.window.activeColorTheme.kind;
    const dark = kind === vscode.ColorThemeKind.Dark || kind === vscode.ColorThemeKind.HighContrast;
    panel.webview.html = tracePage(html, dark);
  };
  const watchers = vscode.Disposable.from(
    vscode.window.onDidChangeActiveColorTheme(paint),
    // Any file of the project may have a part in what the ranks do.
    vscode.workspace.onDidSaveTextDocument(async (document) => {
      if (document.languageId === "python" && server.client) {
        html = (await fetchPage(server, uri, functionName)) ?? html;
        paint();
      }
    }),
  );
  panel.onDidDispose(() => {
    watchers.dispose();
    onClosed();
  });
  paint();
  return { reveal: () => panel.reveal(undefined, true), dispose: () => panel.dispose() };
}

async function fetchPage(server: Server, uri: vscode.Uri, functionName: string): Promise<string | undefined> {
  const answer = await ask(server, ServerCommand.trace, uri.toString(), "html", functionName);
  const isPage = typeof answer === "object" && answer !== null && "content" in answer;
  return isPage && typeof answer.content === "string" ? answer.content : undefined;
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
