// Waits for training code: as long as there is none in the window, no server is started.
import * as fs from "node:fs/promises";
import * as vscode from "vscode";
import { LAUNCH_FILES } from "./documents";
import { configuresUs, importsFramework, startsTraining, TELLING_FILES } from "./trainingCode";

const MOST_FILES = 400; // to look into; a project that trains shows it earlier
const FIRST_BYTES = 16_384; // of each: imports stand at the top
const PAUSE = 500; // milliseconds without a keystroke, before a text is searched

/** Calls `found` once, as soon as the window holds training code or a configuration of ddl-lint. */
export function awaitTrainingCode(found: () => void): vscode.Disposable {
  const watchers: vscode.Disposable[] = [];
  let waiting: NodeJS.Timeout | undefined;
  let over = false;
  const stop = (): void => {
    over = true;
    clearTimeout(waiting);
    vscode.Disposable.from(...watchers).dispose();
  };
  const conclude = (): void => {
    if (!over) {
      stop();
      found();
    }
  };
  const look = (document: vscode.TextDocument): void => {
    if (isTraining(document)) {
      conclude();
    }
  };
  const changed = new Set<vscode.TextDocument>();

  const files = vscode.workspace.createFileSystemWatcher(TELLING_FILES, false, true, true);
  watchers.push(
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (!isPython(document) && !isLaunchFile(document)) {
        return; // a log that grows must not put off the look at a text that somebody wrote in
      }
      changed.add(document);
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        const documents = [...changed];
        changed.clear();
        documents.forEach(look);
      }, PAUSE);
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void searchFolders(() => over).then((yes) => yes && conclude())),
    files,
    files.onDidCreate(conclude),
  );
  vscode.workspace.textDocuments.forEach(look); // cells of notebooks are among them
  if (!over) {
    void searchFolders(() => over).then((yes) => yes && conclude());
  }
  return new vscode.Disposable(stop);
}

function isPython(document: vscode.TextDocument): boolean {
  return document.languageId === "python";
}

const FILTERS = LAUNCH_FILES.map((pattern) => ({ scheme: "file", pattern }));

function isLaunchFile(document: vscode.TextDocument): boolean {
  return vscode.languages.match(FILTERS, document) > 0;
}

function isTraining(document: vscode.TextDocument): boolean {
  if (isPython(document)) {
    return importsFramework(document.getText());
  }
  return isLaunchFile(document) && startsTraining(document.getText());
}

async function searchFolders(isOver: () => boolean): Promise<boolean> {
  if ((await vscode.workspace.findFiles(TELLING_FILES, undefined, 1)).length > 0) {
    return true;
  }
  for (const file of await vscode.workspace.findFiles("**/pyproject.toml", undefined, 20)) {
    if (configuresUs(await beginningOf(file))) {
      return true;
    }
  }
  for (const file of await vscode.workspace.findFiles("**/*.py", undefined, MOST_FILES)) {
    if (isOver()) {
      return false;
    }
    if (importsFramework(await beginningOf(file))) {
      return true;
    }
  }
  return false;
}

async function beginningOf(file: vscode.Uri): Promise<string> {
  if (file.scheme !== "file") {
    return "";
  }
  try {
    const handle = await fs.open(file.fsPath, "r");
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return ""; // gone, or not ours to read
  }
}
