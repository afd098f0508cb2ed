// Show Rule Documentation: the page of a rule, beside the code.
import * as vscode from "vscode";
import { Command, SECTION } from "../names";
import { showRulePage } from "../rulePages";
import type { Server } from "../server";

export function registerExplainRule(server: Server): vscode.Disposable {
  return vscode.commands.registerCommand(Command.explainRule, async (rule?: unknown) => {
    const chosen = typeof rule === "string" ? rule : await chooseRule();
    if (chosen) {
      await showRulePage(server, chosen);
    }
  });
}

/** Offers the rules that have findings in the window, those at the cursor first; takes any other name as it is typed. */
function chooseRule(): Promise<string | undefined> {
  const found = rulesWithFindings();
  const pick = vscode.window.createQuickPick();
  pick.title = "Show rule documentation";
  pick.placeholder = "A name or a code: missing-set-epoch, DDL402";
  pick.matchOnDescription = true;
  pick.items = found;
  pick.onDidChangeValue((value) => {
    const typed = value.trim();
    const isKnown = typed === "" || found.some((item) => item.label === typed);
    pick.items = isKnown ? found : [...found, { label: typed, alwaysShow: true }];
  });
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.label);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function rulesWithFindings(): vscode.QuickPickItem[] {
  const items = new Map<string, vscode.QuickPickItem>();
  const here = vscode.window.activeTextEditor;
  const isAtCursor = (uri: vscode.Uri, { range }: vscode.Diagnostic): boolean =>
    here?.document.uri.toString() === uri.toString() && range.intersection(here.selection) !== undefined;
  const atCursor = new Set<string>();
  for (const [uri, diagnostics] of vscode.languages.getDiagnostics()) {
    for (const diagnostic of diagnostics) {
      if (diagnostic.source === SECTION && diagnostic.code !== undefined) {
        const code = String(typeof diagnostic.code === "object" ? diagnostic.code.value : diagnostic.code);
        items.set(code, { label: code, description: diagnostic.message.split("\n")[0] ?? "" });
        if (isAtCursor(uri, diagnostic)) {
          atCursor.add(code);
        }
      }
    }
  }
  const rank = ({ label }: vscode.QuickPickItem): number => (atCursor.has(label) ? 0 : 1);
  return [...items.values()].sort((one, other) => rank(one) - rank(other) || one.label.localeCompare(other.label));
}
