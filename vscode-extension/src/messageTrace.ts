// The output channel with the messages between editor and server.
import * as vscode from "vscode";
import { SECTION } from "./names";
import { messageTrace } from "./settings";

/**
 * The client writes messages to a log channel and looks at its level. Here the level follows the setting `trace.server`, and
 * the channel, which nobody wants to see in the list otherwise, is made when there is something to write.
 */
export class MessageTraceChannel implements vscode.LogOutputChannel {
  readonly name = "ddl-lint Messages";
  readonly #levels = new vscode.EventEmitter<vscode.LogLevel>();
  readonly #settings: vscode.Disposable;
  #channel: vscode.OutputChannel | undefined;

  constructor() {
    this.#settings = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${SECTION}.trace.server`)) {
        this.#levels.fire(this.logLevel);
      }
    });
  }

  get logLevel(): vscode.LogLevel {
    return messageTrace() === "off" ? vscode.LogLevel.Off : vscode.LogLevel.Trace;
  }

  get onDidChangeLogLevel(): vscode.Event<vscode.LogLevel> {
    return this.#levels.event;
  }

  trace(message: string): void {
    this.appendLine(message);
  }

  debug(message: string): void {
    this.appendLine(message);
  }

  info(message: string): void {
    this.appendLine(message);
  }

  warn(message: string): void {
    this.appendLine(message);
  }

  error(error: string | Error): void {
    this.appendLine(String(error));
  }

  append(value: string): void {
    this.#open().append(value);
  }

  appendLine(value: string): void {
    this.#open().appendLine(`[${new Date().toISOString()}] ${value}`);
  }

  replace(value: string): void {
    this.#open().replace(value);
  }

  clear(): void {
    this.#channel?.clear();
  }

  show(): void {
    this.#open().show(true);
  }

  hide(): void {
    this.#channel?.hide();
  }

  dispose(): void {
    this.#settings.dispose();
    this.#levels.dispose();
    this.#channel?.dispose();
  }

  #open(): vscode.OutputChannel {
    return (this.#channel ??= vscode.window.createOutputChannel(this.name));
  }
}
