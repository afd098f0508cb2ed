// Show Jobs: what `ddl-lint jobs` knows of the launches, as a page beside the editor.
import * as vscode from "vscode";
import { Command, ServerCommand } from "../names";
import { askForPage, type Page, PagePanel } from "../pagePanel";
import type { Server } from "../server";

export function registerShowJobs(server: Server): vscode.Disposable {
  let panel: PagePanel | undefined;

  /** Of the project around a document, opened at a launch in it; of the workspace without one. */
  const show = async (given?: unknown, line?: unknown): Promise<void> => {
    const uri = given instanceof vscode.Uri ? given.toString() : "";
    const fetch = (): Promise<Page | undefined> => askForPage(server, ServerCommand.jobs, uri, "html", line);
    if (panel) {
      await panel.show(fetch);
      panel.reveal();
      return;
    }
    const page = await fetch();
    if (page !== undefined) {
      const onClosed = (): void => (panel = undefined);
      panel = new PagePanel({ viewType: "ddl-lint.jobs", title: "Jobs", fetch, follows: true, onClosed }, page);
    }
  };
  return vscode.Disposable.from(vscode.commands.registerCommand(Command.showJobs, show), {
    dispose: () => panel?.dispose(),
  });
}
