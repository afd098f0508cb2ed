// Launch files, jobs and logs, with the real server: served like Python files.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { codeActions, edit, fileOf, findings, findingsBecome, open, until } from "../harness/editor";
import { suiteOf } from "../harness/run";

export const run = suiteOf("launching", () => {
  it("checks a batch script as it is written, saved or not", async () => {
    const document = await open("train.sbatch");
    const [found] = await findingsBecome(document.uri, 1);
    assert.ok(found);
    assert.equal(document.getText(found.range), "--max_restartz");
    await edit(document.uri, (change) => change.replace(document.uri, found.range, "--max_restarts"));
    await findingsBecome(document.uri, 0);
    assert.ok(document.isDirty);
    await vscode.commands.executeCommand("undo");
    await findingsBecome(document.uri, 1);
  });

  it("explains and fixes what it finds there", async () => {
    const { uri } = await open("train.sbatch");
    const [found] = await findingsBecome(uri, 1);
    assert.ok(found);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      "vscode.executeHoverProvider",
      uri,
      found.range.start,
    );
    const text = hovers
      .flatMap((hover) => hover.contents.map((each) => (each as vscode.MarkdownString).value))
      .join("");
    assert.ok(text.indexOf("What to do") >= 0 && text.indexOf("What to do") < text.indexOf("**Why**"), text);
    const titles = (await codeActions(uri, found.range, "quickfix")).map((action) => action.title);
    assert.equal(titles[0], "Write `--max_restarts`");
    assert.equal(titles.filter((title) => title.startsWith("Ignore `launcher-option-unknown`")).length, 3);
    await vscode.commands.executeCommand("ddl-lint.fixAll");
    await findingsBecome(uri, 0);
    await vscode.commands.executeCommand("undo");
    await findingsBecome(uri, 1);
  });

  it("says above a launch line what it starts", async () => {
    const { uri } = await open("train.sbatch");
    const lenses = await until("the lenses", async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, 10);
      return found.length > 0 && found;
    });
    const titles = lenses.map((lens) => lens.command?.title);
    assert.deepEqual(titles, ["32 ranks: 4 x 8, train.py", "Show ranks"]);
    const [jobs, ranks] = lenses.map((lens) => lens.command);
    assert.ok(jobs && ranks);
    await vscode.commands.executeCommand(jobs.command, ...((jobs.arguments ?? []) as unknown[]));
    await until("the table", () => tabs().includes("Jobs"));
    await vscode.commands.executeCommand(ranks.command, ...((ranks.arguments ?? []) as unknown[]));
    await until("the trace", () => tabs().includes("Trace: train.py"));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("lets files be that say nothing of a launch", async () => {
    const uri = fileOf("notes.yaml");
    await vscode.workspace.fs.writeFile(uri, Buffer.from("torchrun: --nproc_per_nodes 4 train.py\n"));
    await vscode.window.showTextDocument(uri);
    await open("train.sbatch");
    await findingsBecome(fileOf("train.sbatch"), 1);
    assert.deepEqual(findings(uri), []);
    await vscode.workspace.fs.delete(uri);
  });

  it("says of a log what became of the job", async () => {
    const log = fileOf("logs", "tides-4711.out");
    await vscode.window.showTextDocument(log);
    await vscode.commands.executeCommand("ddl-lint.diagnoseLog");
    await until("the diagnosis", () => tabs().includes("Diagnosis: tides-4711.out"));
    await vscode.commands.executeCommand("ddl-lint.diagnoseLog", log);
    assert.equal(tabs().filter((label) => label.startsWith("Diagnosis: ")).length, 1);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("lists the jobs in a view", async () => {
    await vscode.commands.executeCommand("ddl-lint.jobs.focus");
    await vscode.commands.executeCommand("ddl-lint.refreshJobs");
    await vscode.commands.executeCommand("ddl-lint.showJobs");
    await until("the table", () => tabs().includes("Jobs"));
  });

  it("shows findings in open files only, where that is wanted", async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await until("the finding of a file that is not open", () => findings(fileOf("train.py")).length === 1);
    const settings = vscode.workspace.getConfiguration("ddl-lint");
    await settings.update("diagnosticMode", "openFilesOnly", vscode.ConfigurationTarget.Workspace);
    await until("no finding in it", () => findings(fileOf("train.py")).length === 0);
    await settings.update("diagnosticMode", undefined, vscode.ConfigurationTarget.Workspace);
    await until("the finding again", () => findings(fileOf("train.py")).length === 1);
  });
});

function tabs(): string[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
}
