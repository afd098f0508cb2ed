// The view "Training Jobs": the launches of the workspace, each with what is known of it.
import * as path from "node:path";
import * as vscode from "vscode";
import { type Fact, factsOf, type Job, jobsOf, sizeOf } from "./jobs";
import { Command, JOBS_VIEW, ServerCommand } from "./names";
import { askForPage } from "./pagePanel";
import type { Server } from "./server";

const PAUSE = 1000; // milliseconds after the last change of a file

/** A row of the view: a job, or a fact about one. */
type Row = { readonly job: Job; readonly folder: string } | Fact;

/** The script of a row of the view, where it is known. */
export function scriptOf(row: unknown): vscode.Uri | undefined {
  if (typeof row !== "object" || row === null || !("job" in row) || !("folder" in row)) {
    return undefined;
  }
  const { job, folder } = row as Extract<Row, { job: Job }>;
  return job.is_found ? vscode.Uri.file(path.resolve(folder, job.script)) : undefined;
}

export function registerJobsView(server: Server): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let waiting: NodeJS.Timeout | undefined;
  const later = (): void => {
    clearTimeout(waiting);
    waiting = setTimeout(() => view.visible && changed.fire(), PAUSE);
  };
  const provider: vscode.TreeDataProvider<Row> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (row) => ("job" in row ? itemOfJob(row.job, row.folder) : itemOfFact(row)),
    getChildren: async (row) => {
      if (row) {
        return "job" in row ? factsOf(row.job) : [];
      }
      if (!server.client) {
        return [];
      }
      const table = await askForPage(server, ServerCommand.jobs, "", "json");
      return table ? jobsOf(table.content).map((job) => ({ job, folder: table.folder })) : [];
    },
  };
  const view = vscode.window.createTreeView(JOBS_VIEW, { treeDataProvider: provider, showCollapseAll: true });
  return vscode.Disposable.from(
    view,
    changed,
    server.onDidStart(() => changed.fire()),
    vscode.workspace.onDidSaveTextDocument(later),
    vscode.commands.registerCommand(Command.refreshJobs, () => changed.fire()),
    new vscode.Disposable(() => clearTimeout(waiting)),
  );
}

function itemOfJob(job: Job, folder: string): vscode.TreeItem {
  const item = new vscode.TreeItem(path.basename(job.script), vscode.TreeItemCollapsibleState.Collapsed);
  const where = `${job.file}:${job.line}`;
  item.description = `${sizeOf(job)} · ${where}`;
  item.tooltip = `${sizeOf(job)}, ${job.script}, started by ${job.launchers.join(" > ") || "Python"} in ${where}`;
  item.iconPath = new vscode.ThemeIcon(job.world_size === null ? "question" : "server-process");
  item.contextValue = job.is_found ? "job.found" : "job";
  const at = new vscode.Position(Math.max(job.line - 1, 0), 0);
  const uri = vscode.Uri.file(path.resolve(folder, job.file));
  item.command = {
    command: "vscode.open",
    title: "Open",
    arguments: [uri, { selection: new vscode.Range(at, at) } satisfies vscode.TextDocumentShowOptions],
  };
  return item;
}

function itemOfFact({ name, text, isKnown }: Fact): vscode.TreeItem {
  const item = new vscode.TreeItem(isKnown ? name : text, vscode.TreeItemCollapsibleState.None);
  item.description = isKnown ? text : "not known";
  item.tooltip = `${name}: ${text}`;
  item.iconPath = new vscode.ThemeIcon(isKnown ? "circle-small" : "question");
  return item;
}
