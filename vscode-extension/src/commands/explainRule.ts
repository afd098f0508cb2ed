// Explain a Rule: the page of a rule, beside the code.
import * as vscode from "vscode";
import { Command, SECTION, ServerCommand } from "../names";
import { readOnlyText } from "../readOnlyText";
import type { Server } from "../server";
import { ask, hasText } from "./ask";

export function registerExplainRule(server: Server): vscode.Disposable {
  return vscode.commands.registerCommand(Command.explainRule, async (rule?: unknown) => {
    const chosen = typeof rule === "string" ? rule : await chooseRule();
    const page = chosen && (await ask(server, ServerCommand.explainRule, chosen));
    if (chosen && hasText(page)) {
      const document = await vscode.workspace.openTextDocument(readOnlyText(`${chosen}.txt`, page.text));
      await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
    }
  });
}

/** Offers the rules that have findings in the window, and takes any other name as it is typed. */
function chooseRule(): Promise<string | undefined> {
  const found = rulesWithFindings();
  const pick = vscode.window.createQuickPick();
  pick.title = "Explain a rule";
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
  for (const diagnostic of vscode.languages.getDiagnostics().flatMap(([, each]) => each)) {
    if (diagnostic.source === SECTION && diagnostic.code !== undefined) {
      const code = typeof diagnostic.code === "object" ? diagnostic.code.value : diagnostic.code;
      items.set(String(code), { label: String(code), description: diagnostic.message.split("\n")[0] ?? "" });
    }
  }
  return [...items.values()].sort((one, other) => one.label.localeCompare(other.label));
}
