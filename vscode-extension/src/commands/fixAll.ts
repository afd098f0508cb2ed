// Fix All Auto-Fixable Problems: what `source.fixAll.ddl-lint` does on save, by hand.
import * as vscode from "vscode";
import { Command, FIX_ALL_KIND, NOTEBOOK_FIX_ALL_KIND } from "../names";

export function registerFixAll(): vscode.Disposable {
  return vscode.commands.registerCommand(Command.fixAll, async () => {
    const target = targetOfFixAll();
    if (!target) {
      return;
    }
    const { document, kind } = target;
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const actions = await vscode.commands.executeCommand<(vscode.CodeAction | vscode.Command)[] | undefined>(
      "vscode.executeCodeActionProvider",
      document.uri,
      whole,
      kind,
      10, // to be resolved: only resolved ones have an edit
    );
    const action = actions?.find((each): each is vscode.CodeAction => "edit" in each && each.edit !== undefined);
    if (action?.edit && action.edit.size > 0) {
      await vscode.workspace.applyEdit(action.edit);
    } else {
      vscode.window.setStatusBarMessage("ddl-lint: nothing that can be fixed safely", 4000);
    }
  });
}

function targetOfFixAll(): { document: vscode.TextDocument; kind: string } | undefined {
  // The notebook counts as a whole, whichever cell has the cursor.
  const notebook = vscode.window.activeNotebookEditor?.notebook;
  const cell = notebook?.getCells().find((each) => each.document.languageId === "python");
  if (cell) {
    return { document: cell.document, kind: NOTEBOOK_FIX_ALL_KIND };
  }
  const document = vscode.window.activeTextEditor?.document;
  return document && { document, kind: FIX_ALL_KIND };
}
