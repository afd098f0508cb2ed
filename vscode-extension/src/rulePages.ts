// The pages of rules: a view for documents of our scheme, to which the codes of findings link.
import * as path from "node:path";
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { ask, hasText } from "./commands/ask";
import { RULE_SCHEME, RULE_VIEW, ServerCommand } from "./names";
import type { Server } from "./server";
import { isDark } from "./theme";
import { themedPage } from "./themedPage";

/** Lets the editor show the pages. */
export function registerRulePages(server: Server): vscode.Disposable {
  const view: vscode.CustomReadonlyEditorProvider = {
    openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
    resolveCustomEditor: async ({ uri }, panel) => {
      panel.webview.options = { enableScripts: false, enableForms: false, localResourceRoots: [] };
      const page = await ask(server, ServerCommand.explainRule, ruleOf(uri), "html");
      const html = hasText(page) ? page.text : "<!doctype html><p>The page cannot be shown: the server gives none.</p>";
      const paint = (): void => {
        panel.webview.html = themedPage(html, isDark());
      };
      paint();
      const watcher = vscode.window.onDidChangeActiveColorTheme(paint);
      panel.onDidDispose(() => watcher.dispose());
    },
  };
  return vscode.window.registerCustomEditorProvider(RULE_VIEW, view, {
    supportsMultipleEditorsPerDocument: true,
    webviewOptions: { enableFindWidget: true },
  });
}

/** Shows the page of a rule, by its code or name, beside the code. */
export async function showRulePage(server: Server, rule: string): Promise<void> {
  // Asked for its whole name, so that a rule has one page however it was named; and one that is unknown has none.
  const known = await ask(server, ServerCommand.explainRule, rule);
  if (typeof known === "object" && known !== null && "title" in known && typeof known.title === "string") {
    const uri = vscode.Uri.from({ scheme: RULE_SCHEME, path: `/${known.title}` });
    const where = { viewColumn: columnOfPages() ?? vscode.ViewColumn.Beside, preview: true };
    await vscode.commands.executeCommand("vscode.openWith", uri, RULE_VIEW, where);
  }
}

/** Where pages of rules are shown already. */
function columnOfPages(): vscode.ViewColumn | undefined {
  const isPage = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputCustom && input.viewType === RULE_VIEW;
  return vscode.window.tabGroups.all.find((group) => group.tabs.some(isPage))?.viewColumn;
}

/** Part of the client's middleware: where the server would open a browser, there is a view. */
export function rulePagesInViews(show: (rule: string) => Promise<void>): NonNullable<Middleware["executeCommand"]> {
  return async (command, args: unknown[], next) => {
    const [rule] = args;
    if (command === ServerCommand.showRule && typeof rule === "string") {
      await show(rule);
      return undefined;
    }
    return (await next(command, args)) as unknown;
  };
}

/** The name of the rule: the last word of `DDL402 missing-set-epoch`. */
function ruleOf(uri: vscode.Uri): string {
  return path.posix.basename(uri.path).split(" ").at(-1) ?? "";
}
