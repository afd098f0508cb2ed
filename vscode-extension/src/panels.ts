// Part of the client's middleware: where the server would open a browser, there is a panel.
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { Command, ServerCommand } from "./names";

/** The traces of scripts and the table of jobs, in panels. */
export const pagesInPanels: NonNullable<Middleware["executeCommand"]> = async (command, args: unknown[], next) => {
  const [uri, line] = args;
  if (command === ServerCommand.showTrace && typeof uri === "string") {
    await vscode.commands.executeCommand(Command.showTrace, vscode.Uri.parse(uri), "", line);
    return undefined;
  }
  if (command === ServerCommand.showJobs) {
    const document = typeof uri === "string" && uri !== "" ? vscode.Uri.parse(uri) : undefined;
    await vscode.commands.executeCommand(Command.showJobs, document, line);
    return undefined;
  }
  return (await next(command, args)) as unknown;
};
