// What becomes of the messages of the server: which ones are written, and which ones pop up.
import * as vscode from "vscode";
import { LogMessageNotification, MessageType, ShowMessageNotification } from "vscode-languageclient/node";
import type { LanguageClient } from "vscode-languageclient/node";
import { logLevel, type LogLevel, notifications, type Notifications } from "./settings";

const SHOWN: Record<Notifications, number> = {
  off: 0,
  onError: MessageType.Error,
  onWarning: MessageType.Warning,
  always: MessageType.Debug,
};
const WRITTEN: Record<LogLevel, number> = {
  error: MessageType.Error,
  warning: MessageType.Warning,
  info: MessageType.Log,
  debug: MessageType.Debug,
};

/** Replaces the client's own habit of showing every message. What does not pop up is in the log. */
export function filterMessages(client: LanguageClient, log: vscode.LogOutputChannel): void {
  const write = (type: MessageType, message: string): void => {
    if (type > WRITTEN[logLevel()]) {
      return;
    }
    if (type === MessageType.Error) {
      log.error(message);
    } else if (type === MessageType.Warning) {
      log.warn(message);
    } else {
      log.info(message); // who wants debug messages has said so in the setting, not at the channel
    }
  };
  // They end with the client.
  client.onNotification(LogMessageNotification.type, ({ type, message }) => write(type, message));
  client.onNotification(ShowMessageNotification.type, ({ type, message }) => {
    write(type, message);
    if (type <= SHOWN[notifications()]) {
      void popUp(type, message);
    }
  });
}

function popUp(type: MessageType, message: string): Thenable<unknown> {
  switch (type) {
    case MessageType.Error:
      return vscode.window.showErrorMessage(message);
    case MessageType.Warning:
      return vscode.window.showWarningMessage(message);
    default:
      return vscode.window.showInformationMessage(message);
  }
}
