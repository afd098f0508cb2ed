// A page of the server beside the editor: a trace, the jobs, a diagnosis. Its places open in the editor.
import * as path from "node:path";
import * as vscode from "vscode";
import { ask } from "./commands/ask";
import { Command } from "./names";
import { pageMessage, type PageMessage } from "./pageMessage";
import type { Server } from "./server";
import { isDark } from "./theme";
import { themedPage } from "./themedPage";

/** What the server draws; the paths in the page are relative to the folder. */
export interface Page {
  readonly content: string;
  readonly folder: string;
}

/** The page that a command of the server answers with; undefined if there is none, which the user is told. */
export async function askForPage(server: Server, command: string, ...args: unknown[]): Promise<Page | undefined> {
  const answer = await ask(server, command, ...args);
  if (typeof answer !== "object" || answer === null || !("content" in answer) || typeof answer.content !== "string") {
    return undefined;
  }
  return {
    content: answer.content,
    folder: "folder" in answer && typeof answer.folder === "string" ? answer.folder : "",
  };
}

export interface Wish {
  readonly viewType: string;
  readonly title: string;
  /** Asks for the page anew: when a file is saved, if it `follows` the code, and when it is shown again. */
  readonly fetch: () => Promise<Page | undefined>;
  readonly follows: boolean;
  readonly onClosed: () => void;
}

export class PagePanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #watchers: vscode.Disposable;
  #fetch: Wish["fetch"];
  #page: Page;

  constructor({ viewType, title, fetch, follows, onClosed }: Wish, page: Page) {
    this.#fetch = fetch;
    this.#page = page;
    this.#panel = vscode.window.createWebviewPanel(
      viewType,
      title,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, enableForms: false, localResourceRoots: [], enableFindWidget: true },
    );
    this.#watchers = vscode.Disposable.from(
      vscode.window.onDidChangeActiveColorTheme(() => this.#paint()),
      // Any file of the project may have a part in what is shown.
      vscode.workspace.onDidSaveTextDocument(() => (follows ? this.show() : undefined)),
      this.#panel.webview.onDidReceiveMessage((received) => this.#act(pageMessage(received))),
    );
    this.#panel.onDidDispose(() => {
      this.#watchers.dispose();
      onClosed();
    });
    this.#paint();
  }

  /** Draws it anew; from now on by another question, if one is given. */
  async show(fetch = this.#fetch): Promise<void> {
    this.#fetch = fetch;
    this.#page = (await fetch()) ?? this.#page;
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

  async #act(message: PageMessage | undefined): Promise<void> {
    switch (message?.type) {
      case "open":
        await openPlace(this.#uri(message.file), message);
        break;
      case "trace":
        await vscode.commands.executeCommand(Command.showTrace, this.#uri(message.file), "");
        break;
      case "save":
        await save(message);
        break;
      default:
    }
  }

  #uri(file: string): vscode.Uri {
    return vscode.Uri.file(path.resolve(this.#page.folder, file));
  }
}

async function openPlace(
  uri: vscode.Uri,
  { line, column, cell }: Extract<PageMessage, { type: "open" }>,
): Promise<void> {
  if (cell > 0 || uri.path.endsWith(".ipynb")) {
    await vscode.commands.executeCommand("vscode.open", uri, { viewColumn: vscode.ViewColumn.One });
    return;
  }
  const at = new vscode.Position(Math.max(line - 1, 0), Math.max(column - 1, 0));
  await vscode.window.showTextDocument(uri, {
    viewColumn: vscode.ViewColumn.One,
    selection: new vscode.Range(at, at),
  });
}

async function save({ name, content }: Extract<PageMessage, { type: "save" }>): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {});
  if (uri) {
    await vscode.workspace.fs.writeFile(uri, Buffer.from(content, "base64"));
  }
}
