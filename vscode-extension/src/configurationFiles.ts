// What an action changes in a configuration file counts once it is saved.
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { SAVE_CONFIGURATION } from "./names";

const IN_PROJECT = vscode.CodeActionKind.QuickFix.append("suppress.ddl-lint.project");

export function registerSaveConfiguration(): vscode.Disposable {
  return vscode.commands.registerCommand(SAVE_CONFIGURATION, async (...files: unknown[]) => {
    for (const file of files) {
      const changed = vscode.workspace.textDocuments.find((each) => each.uri.toString() === file && each.isDirty);
      await changed?.save();
    }
  });
}

/** Part of the client's middleware. */
export const savedConfiguration: Pick<Middleware, "resolveCodeAction"> = {
  resolveCodeAction: async (action, token, next) => {
    const resolved = await next(action, token);
    if (resolved?.edit && resolved.kind && IN_PROJECT.contains(resolved.kind)) {
      const files = resolved.edit.entries().map(([uri]) => uri.toString());
      resolved.command = { title: "Save", command: SAVE_CONFIGURATION, arguments: files };
    }
    return resolved;
  },
};
