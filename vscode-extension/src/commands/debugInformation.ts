// Show Debug Information: what somebody needs to know who is told of a problem.
import * as vscode from "vscode";
import { Command, ServerCommand } from "../names";
import { readOnlyText } from "../readOnlyText";
import type { Server } from "../server";
import { serverSettings } from "../settings";
import { describe } from "../trouble";
import { ask, hasText } from "./ask";

export function registerDebugInformation(server: Server, extensionVersion: string): vscode.Disposable {
  return vscode.commands.registerCommand(Command.debugInformation, async () => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const parts = [ofThisSide(server, extensionVersion, uri)];
    if (server.client) {
      const answer = await ask(server, ServerCommand.debugInformation, uri?.toString() ?? "");
      parts.push(`## The server says\n\n${asMarkdown(answer)}`);
    }
    const document = await vscode.workspace.openTextDocument(readOnlyText("debug information.md", parts.join("\n\n")));
    await vscode.window.showTextDocument(document, { preview: true });
  });
}

function ofThisSide(server: Server, extensionVersion: string, uri: vscode.Uri | undefined): string {
  const launch = server.launch;
  return [
    "# ddl-lint: debug information",
    "",
    `- extension ${extensionVersion}, ${vscode.env.appName} ${vscode.version}, ${process.platform}-${process.arch}`,
    `- workspace: ${vscode.workspace.isTrusted ? "trusted" : "restricted mode"}`,
    `- ddl-lint: ${launch ? `${server.version}, ${launch.description}, from ${launch.origin}` : "does not run"}`,
    ...(launch ? [`- started as: \`${[launch.command, ...launch.args].join(" ")}\``] : []),
    ...server.passedOver.map((each) => `- ${describe(each)}`),
    "",
    "## Settings",
    "",
    asMarkdown(serverSettings(uri)),
  ].join("\n");
}

function asMarkdown(answer: unknown): string {
  return hasText(answer)
    ? "```text\n" + answer.text.trimEnd() + "\n```"
    : "```json\n" + JSON.stringify(answer ?? null, undefined, 2) + "\n```";
}
