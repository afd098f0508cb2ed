// The entry in the language status, beside the name of the language: what runs, or why nothing does.
import * as vscode from "vscode";
import type { Launch, PassedOver } from "./launch";
import { Command } from "./names";

/** The states of the server, as a person sees them. */
export interface Status extends vscode.Disposable {
  starting(): void;
  running(version: string, launch: Launch): void;
  /** Not wanted: nothing to check, or switched off. */
  resting(why: string): void;
  /** Wanted, and not to be had. */
  broken(why: string): void;
}

/** Makes the entry. It is shown where the server's documents are. */
export function makeStatus(): Status {
  const item = vscode.languages.createLanguageStatusItem("ddl-lint.status", { language: "python" });
  item.name = "ddl-lint";
  item.command = { command: Command.showLogs, title: "Show Log" };
  const show = (severity: vscode.LanguageStatusSeverity, text: string, detail: string, busy = false): void => {
    item.severity = severity;
    item.text = text;
    item.detail = detail;
    item.busy = busy;
  };
  const { Error, Information, Warning } = vscode.LanguageStatusSeverity;
  return {
    starting: () => show(Information, "ddl-lint", "is starting", true),
    running: (version, launch) => {
      const wrong = launch.passedOver.filter((each) => each.named);
      const restricted = vscode.workspace.isTrusted ? "" : " (restricted mode)";
      show(
        wrong.length > 0 ? Warning : Information,
        "ddl-lint",
        [`${version}, ${launch.description}${restricted}`, ...wrong.map(describe)].join("; "),
      );
    },
    resting: (why) => show(Information, "ddl-lint", why),
    broken: (why) => show(Error, "ddl-lint does not run", why),
    dispose: () => item.dispose(),
  };
}

/** What was passed over and why, as a sentence. */
export function describe(passedOver: PassedOver): string {
  return `not used: ${passedOver.what} ${passedOver.why}`;
}
