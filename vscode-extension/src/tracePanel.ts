// The panel of a trace: what the server draws, beside the editor, with places that open there.
import * as path from "node:path";
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { ask } from "./commands/ask";
import { Command, ServerCommand } from "./names";
import type { Server } from "./server";
import { isDark } from "./theme";
import { themedPage } from "./themedPage";
import { traceMessage, type TraceMessage } from "./tracePage";

/** What is traced: a file or a function of it, opened at a line (counted from 0) if one is given. */
export interface Traced {
  readonly uri: vscode.Uri;
  readonly functionName: string;
  readonly line?: number;
}

/** What the server draws; the paths in the page are relative to the folder. */
export interface Page {
  readonly content: string;
  readonly folder: string;
}

/** Part of the client's middleware: where the server would open a browser, there is a panel. */
export const tracesInPanels: NonNullable<Middleware["executeCommand"]> = async (command, args: unknown[], next) => {
  const [uri, line] = args;
  if (command === ServerCommand.showTrace && typeof uri === "string") {
    await vscode.commands.executeCommand(Command.showTrace, vscode.Uri.parse(uri), "", line);
    return undefined;
  }
  return (await next(command, args)) as unknown;
};

/** The page of a trace; undefined if there is none, which the user is told. */
export async function fetchPage(server: Server, { uri, functionName, line }: Traced): Promise<Page | undefined> {
  const answer = await ask(server, ServerCommand.trace, uri.toString(), "html", functionName, line);
  if (typeof answer !== "object" || answer === null || !("content" in answer) || typeof answer.content !== "string") {
    return undefined;
  }
  const folder = "folder" in answer && typeof answer.folder === "string" ? answer.folder : path.dirname(uri.fsPath);
  return { content: answer.content, folder };
}

export class TracePanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #server: Server;
  readonly #watchers: vscode.Disposable;
  #traced: Traced;
  #page: Page;

  constructor(server: Server, traced: Traced, page: Page, onClosed: () => void) {
    this.#server = server;
    this.#traced = traced;
    this.#page = page;
    const title = `Trace: ${traced.functionName || path.basename(traced.uri.path)}`;
    this.#panel = vscode.window.createWebviewPanel(
      "ddl-lint.trace",
      title,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, enableForms: false, localResourceRoots: [], enableFindWidget: true },
    );
    this.#watchers = vscode.Disposable.from(
      vscode.window.onDidChangeActiveColorTheme(() => this.#paint()),
      // Any file of the project may have a part in what the ranks do.
      vscode.workspace.onDidSaveTextDocument(async (document) => {
        if (document.languageId === "python" && this.#server.client) {
          await this.show(this.#traced);
        }
      }),
      this.#panel.webview.onDidReceiveMessage(async (received) => {
        const message = traceMessage(received);
        await (message?.type === "open" ? this.#open(message) : message && save(message));
      }),
    );
    this.#panel.onDidDispose(() => {
      this.#watchers.dispose();
      onClosed();
    });
    this.#paint();
  }

  /** Draws it anew, opened at another line perhaps. */
  async show(traced: Traced): Promise<void> {
    this.#traced = traced;
    this.#page = (await fetchPage(this.#server, traced)) ?? this.#page;
    this.#paint();
  }

  reveal(): void {
    this.#panel.reveal(undefined, true);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #paint(): void {
    this.#panel.webview.html = themedPage(this.#page.content, isDark());
  }

  async #open({ file, line, column, cell }: Extract<TraceMessage, { type: "open" }>): Promise<void> {
    const uri = vscode.Uri.file(path.resolve(this.#page.folder, file));
    if (cell > 0) {
      await vscode.commands.executeCommand("vscode.open", uri, { viewColumn: vscode.ViewColumn.One });
      return;
    }
    const at = new vscode.Position(Math.max(line - 1, 0), Math.max(column - 1, 0));
    await vscode.window.showTextDocument(uri, {
      viewColumn: vscode.ViewColumn.One,
      selection: new vscode.Range(at, at),
    });
  }
}

async function save({ name, content }: Extract<TraceMessage, { type: "save" }>): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {});
  if (uri) {
    await vscode.workspace.fs.writeFile(uri, Buffer.from(content, "base64"));
  }
}
