// The one pop-up of this extension: without an interpreter nothing works, and only the user can help.
import * as vscode from "vscode";
import { Command, SECTION } from "./names";
import { OLDEST_PYTHON } from "./version";

const KEY = "ddl-lint.noInterpreterHint";

/** Says, until it is dismissed for good and once per window, that an interpreter is needed. */
export function makeInterpreterHint(memory: vscode.Memento): () => void {
  let shown = false;
  return () => {
    if (shown || memory.get(KEY) === "dismissed") {
      return;
    }
    shown = true;
    void tell(memory);
  };
}

async function tell(memory: vscode.Memento): Promise<void> {
  const [set, why, never] = ["Open Setting", "Why?", "Don't Show Again"];
  const message = `ddl-lint needs Python ${OLDEST_PYTHON} or newer, and found none that it can use.`;
  const answer = await vscode.window.showWarningMessage(message, set, why, never);
  if (answer === set) {
    await vscode.commands.executeCommand("workbench.action.openSettings", `${SECTION}.interpreter`);
  } else if (answer === why) {
    await vscode.commands.executeCommand(Command.showLogs);
  } else if (answer === never) {
    await memory.update(KEY, "dismissed");
  }
}
