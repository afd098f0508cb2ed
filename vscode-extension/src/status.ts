// What the editor shows of the server: an entry in the language status, beside the name of the language; and where
// something is wrong, one in the status bar that says what, why, and what to do.
import * as vscode from "vscode";
import { SELECTOR } from "./documents";
import type { Launch } from "./launch";
import { Command, SECTION } from "./names";
import { type Trouble, troubleOf } from "./trouble";

/** The states of the server, as a person sees them. */
export interface Status extends vscode.Disposable {
  starting(): void;
  running(version: string, launch: Launch): void;
  /** Not wanted: nothing to check, or switched off. */
  resting(why: string): void;
  /** Wanted, and not to be had. */
  broken(trouble: Trouble): void;
}

/** Makes the entries. That of the language status is shown where the server's documents are. */
export function makeStatus(): Status {
  const item = vscode.languages.createLanguageStatusItem("ddl-lint.status", SELECTOR);
  item.name = "ddl-lint";
  item.command = { command: Command.showLogs, title: "Show Log" };
  const warning = makeWarning();
  // It has one line, which is cut off at its end: the whole story is in the status bar.
  const show = (severity: vscode.LanguageStatusSeverity, text: string, detail: string, trouble?: Trouble): void => {
    item.severity = severity;
    item.text = text;
    item.detail = detail;
    item.busy = false;
    warning.show(trouble, severity);
  };
  const { Error, Information, Warning } = vscode.LanguageStatusSeverity;
  return {
    starting: () => {
      show(Information, "ddl-lint", "is starting");
      item.busy = true;
    },
    running: (version, launch) => {
      const trouble = troubleOf(launch, version);
      const restricted = vscode.workspace.isTrusted ? "" : " (restricted mode)";
      const what = trouble ? `ddl-lint: ${trouble.title}` : "ddl-lint";
      show(trouble ? Warning : Information, what, `${version}, ${launch.description}${restricted}`, trouble);
    },
    resting: (why) => show(Information, "ddl-lint", why),
    broken: (trouble) => show(Error, `ddl-lint: ${trouble.title}`, "nothing is checked", trouble),
    dispose: () => {
      item.dispose();
      warning.dispose();
    },
  };
}

interface WarningItem extends vscode.Disposable {
  show(trouble: Trouble | undefined, severity: vscode.LanguageStatusSeverity): void;
}

function makeWarning(): WarningItem {
  const item = vscode.window.createStatusBarItem("ddl-lint.trouble", vscode.StatusBarAlignment.Right, 100);
  item.name = "ddl-lint: trouble";
  item.command = {
    command: "workbench.action.openSettings",
    title: "Open Setting",
    arguments: [`${SECTION}.interpreter`],
  };
  return {
    show: (trouble, severity) => {
      if (!trouble) {
        item.hide();
        return;
      }
      const isError = severity === vscode.LanguageStatusSeverity.Error;
      item.text = `$(${isError ? "error" : "warning"}) ddl-lint: ${trouble.title}`;
      item.tooltip = tooltipOf(trouble);
      item.backgroundColor = new vscode.ThemeColor(`statusBarItem.${isError ? "error" : "warning"}Background`);
      item.show();
    },
    dispose: () => item.dispose(),
  };
}

function tooltipOf({ title, reasons, remedy }: Trouble): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString(`**ddl-lint: ${title}**\n\n`);
  for (const reason of reasons) {
    tooltip.appendMarkdown(`- ${escaped(reason)}\n`);
  }
  tooltip.appendMarkdown(`\n${escaped(remedy)}`);
  const setting = encodeURIComponent(JSON.stringify([`${SECTION}.interpreter`]));
  const links = [
    `[Open Setting](command:workbench.action.openSettings?${setting})`,
    `[Show Log](command:${Command.showLogs})`,
    `[Restart Server](command:${Command.restart})`,
  ];
  tooltip.appendMarkdown(`\n\n${links.join(" · ")}`);
  tooltip.isTrusted = { enabledCommands: ["workbench.action.openSettings", Command.showLogs, Command.restart] };
  return tooltip;
}

/** A text as it is. `appendText` would make its spaces such that no line can break at them. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+!~<>&|$-]/g, "\\$&");
}
