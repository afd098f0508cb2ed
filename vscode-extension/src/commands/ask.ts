// Asks the running server to execute one of its commands.
import * as vscode from "vscode";
import { ExecuteCommandRequest } from "vscode-languageclient/node";
import type { Server } from "../server";
import { Command } from "../names";

/** The server's answer; undefined if there is none, which the user is told. */
export async function ask(server: Server, command: string, ...args: unknown[]): Promise<unknown> {
  const client = server.client;
  if (!client) {
    void complain("ddl-lint does not run.");
    return undefined;
  }
  try {
    const answer: unknown = await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args });
    return answer ?? undefined;
  } catch (error) {
    void complain(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

async function complain(message: string): Promise<void> {
  const log = "Show Log";
  if ((await vscode.window.showWarningMessage(message, log)) === log) {
    await vscode.commands.executeCommand(Command.showLogs);
  }
}

/** Whether an answer is what the server's commands for people give: an object with a text. */
export function hasText(answer: unknown): answer is { readonly text: string } {
  return typeof answer === "object" && answer !== null && "text" in answer && typeof answer.text === "string";
}
