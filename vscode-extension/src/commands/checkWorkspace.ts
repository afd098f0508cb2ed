// Check Workspace: reads all projects of the window anew, whatever is open, and shows what was found.
import * as vscode from "vscode";
import { Command, ServerCommand } from "../names";
import type { Server } from "../server";
import { ask } from "./ask";

export function registerCheckWorkspace(server: Server): vscode.Disposable {
  return vscode.commands.registerCommand(Command.checkWorkspace, async () => {
    await ask(server, ServerCommand.checkWorkspace);
    await vscode.commands.executeCommand("workbench.actions.view.problems");
  });
}
