// Leaves out the code actions that the settings do not want.
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { wantedActions, type WantedActions } from "./settings";

const FIX_ALL_KINDS = ["source.fixAll", "notebook.source.fixAll"].map((kind) =>
  vscode.CodeActionKind.Empty.append(kind),
);
const SUPPRESSION = vscode.CodeActionKind.QuickFix.append("suppress");
const EXPLANATIONS = ["none", "ranks", "documentation"].map((kind) => vscode.CodeActionKind.QuickFix.append(kind));

/** Part of the client's middleware. */
export const wantedCodeActions: Pick<Middleware, "provideCodeActions"> = {
  provideCodeActions: async (document, range, context, token, next) => {
    const actions = await next(document, range, context, token);
    const wanted = wantedActions(document.uri);
    return actions?.filter((action) => !("kind" in action) || isWanted(action, wanted));
  },
};

function isWanted(action: vscode.CodeAction, wanted: WantedActions): boolean {
  const { kind } = action;
  if (kind && FIX_ALL_KINDS.some((each) => each.contains(kind))) {
    return wanted.fixAll;
  }
  if (kind && EXPLANATIONS.some((each) => each.contains(kind))) {
    return true;
  }
  return kind && SUPPRESSION.contains(kind) ? wanted.suppress : wanted.fix;
}
