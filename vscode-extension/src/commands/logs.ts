// Show Log, Show Server Log.
import * as vscode from "vscode";
import { Command } from "../names";

export function registerLogs(log: vscode.OutputChannel, serverLog: vscode.OutputChannel): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand(Command.showLogs, () => log.show()),
    vscode.commands.registerCommand(Command.showServerLogs, () => serverLog.show()),
  );
}
