// Takes the findings of deleted files away.
import * as vscode from "vscode";
import { type Middleware, vsdiag } from "vscode-languageclient/node";
import { LAUNCH_FILES } from "./documents";
import { SECTION } from "./names";

/**
 * The client keeps the findings of a document that is closed until the server's report on the workspace says something else
 * about it, and that says nothing about a file that is gone. Here the deleted files are added to the reports, as empty.
 */
export class DeletedFiles implements vscode.Disposable {
  readonly #deleted = new Map<string, vscode.Uri>();
  readonly #watchers = ["**/*.{py,ipynb}", ...LAUNCH_FILES].map((pattern) =>
    vscode.workspace.createFileSystemWatcher(pattern, false, true, false),
  );

  constructor() {
    for (const watcher of this.#watchers) {
      watcher.onDidDelete((uri) => this.#deleted.set(uri.toString(), uri));
      watcher.onDidCreate((uri) => this.#deleted.delete(uri.toString()));
    }
  }

  /** Part of the client's middleware. */
  readonly middleware: Pick<Middleware, "provideWorkspaceDiagnostics"> = {
    provideWorkspaceDiagnostics: async (resultIds, token, report, next) => {
      const answer = await next(resultIds, token, report);
      const items = [...this.#deleted.values()].filter(hasFindings).map(emptyReport);
      if (items.length > 0) {
        report({ items });
      }
      return answer;
    },
  };

  dispose(): void {
    this.#watchers.forEach((watcher) => watcher.dispose());
  }
}

function hasFindings(uri: vscode.Uri): boolean {
  return vscode.languages.getDiagnostics(uri).some((each) => each.source === SECTION);
}

function emptyReport(uri: vscode.Uri): vsdiag.WorkspaceDocumentDiagnosticReport {
  return { kind: vsdiag.DocumentDiagnosticReportKind.full, uri, version: null, items: [] };
}
