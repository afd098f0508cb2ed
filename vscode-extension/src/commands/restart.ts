// Restart Server.
import * as vscode from "vscode";
import { Command } from "../names";
import type { Server } from "../server";

export function registerRestart(server: Server): vscode.Disposable {
  return vscode.commands.registerCommand(Command.restart, () => server.refresh("the user wants a restart", true));
}
