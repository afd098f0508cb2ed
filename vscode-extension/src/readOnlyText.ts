// Texts of the server in read-only documents.
import * as vscode from "vscode";

const SCHEME = "ddl-lint-text";
const texts = new Map<string, string>();
const changes = new vscode.EventEmitter<vscode.Uri>();

/** Lets the editor open the documents below. */
export function registerReadOnlyTexts(): vscode.Disposable {
  return vscode.Disposable.from(
    changes,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changes.event,
      provideTextDocumentContent: (uri) => texts.get(uri.path) ?? "",
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (document.uri.scheme === SCHEME) {
        texts.delete(document.uri.path);
      }
    }),
  );
}

/** Gives a text the address under which it can be opened; an open document of that name shows the new text. */
export function readOnlyText(name: string, text: string): vscode.Uri {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
  texts.set(uri.path, text);
  changes.fire(uri);
  return uri;
}
