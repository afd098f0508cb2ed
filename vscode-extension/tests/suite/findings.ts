// The real server in the real editor: findings with evidence, fixes, the trace, notebooks, settings.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import {
  codeActions,
  debugInformation,
  edit,
  fileOf,
  findings,
  findingsBecome,
  open,
  set,
  until,
} from "../harness/editor";
import { suiteOf } from "../harness/run";

export const run = suiteOf("findings", () => {
  it("shows a finding with its page and its evidence in two files", async () => {
    const { uri } = await open("checkpoint.py");
    const [found] = await findingsBecome(uri, 1);
    assert.equal(codeOf(found), "DDL305");
    assert.equal(found?.severity, vscode.DiagnosticSeverity.Warning); // predict.py loads it into a plain model
    const places = (found?.relatedInformation ?? []).map((each) => vscode.workspace.asRelativePath(each.location.uri));
    assert.ok(places.includes("train.py"), `evidence in ${places.join(", ")}`);
  });

  it("follows a change of another file that is not saved", async () => {
    const train = await open("train.py");
    const { uri } = await open("checkpoint.py");
    await findingsBecome(uri, 1);
    const call = train.getText().indexOf("save_weights(model,");
    const place = new vscode.Range(train.positionAt(call), train.positionAt(call + "save_weights".length));
    await edit(train.uri, (change) => change.replace(train.uri, place, "print"));
    await findingsBecome(uri, 0);
    await vscode.window.showTextDocument(train);
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await findingsBecome(uri, 1);
  });

  it("keeps the findings of the other functions while one of them cannot be parsed", async () => {
    const { uri } = await open("train.py");
    await findingsBecome(uri, 1);
    await edit(uri, (change) => change.insert(uri, new vscode.Position(8, 0), "x = (\n"));
    await until("the syntax error", () => findings(uri).some((each) => codeOf(each) === "DDL001"));
    assert.ok(findings(uri).some((each) => codeOf(each) === "DDL402"));
    await vscode.commands.executeCommand("undo");
    await findingsBecome(uri, 1);
  });

  it("names unsafe fixes so, with the reason, and applies the safe ones at once", async () => {
    const evaluation = await open("evaluation.py");
    const [unsafe] = await findingsBecome(evaluation.uri, 1);
    assert.ok(unsafe);
    const offered = await codeActions(evaluation.uri, unsafe.range, "quickfix");
    assert.ok(
      offered.some((action) => /\(unsafe: [a-z].*\)$/.test(action.title)),
      offered.map((action) => action.title).join("; "),
    );
    const train = await open("train.py");
    const [safe] = await findingsBecome(train.uri, 1);
    assert.equal(codeOf(safe), "DDL402");
    await vscode.commands.executeCommand("ddl-lint.fixAll");
    await findingsBecome(train.uri, 0);
    assert.match(train.getText(), /set_epoch\(epoch\)/);
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await findingsBecome(train.uri, 1);
  });

  it("silences a finding by a comment", async () => {
    const document = await open("train.py");
    const [found] = await findingsBecome(document.uri, 1);
    assert.ok(found);
    const actions = await codeActions(document.uri, found.range, "quickfix");
    const silence = actions.find((action) => action.title.startsWith("Ignore `missing-set-epoch`"));
    assert.ok(silence?.edit, actions.map((action) => action.title).join("; "));
    await vscode.workspace.applyEdit(silence.edit);
    await findingsBecome(document.uri, 0);
    assert.match(document.getText(), /# ddl-lint: ignore\[missing-set-epoch\]/);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("does not offer what the settings do not want", async () => {
    const { uri } = await open("train.py");
    const [found] = await findingsBecome(uri, 1);
    assert.ok(found);
    await set("codeAction.suppress.enable", false);
    const actions = await codeActions(uri, found.range, "quickfix");
    assert.ok(actions.length > 0 && actions.every((action) => !action.title.startsWith("Ignore")));
    await set("codeAction.suppress.enable", undefined);
  });

  it("draws the trace", async () => {
    await vscode.commands.executeCommand("ddl-lint.showTrace", fileOf("train.py"), "");
    await until("the picture", () => tabs().includes("Trace: train.py"));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("shows the ranks of a hang from its lens and its action", async () => {
    const { uri } = await open("evaluation.py");
    const [found] = await findingsBecome(uri, 1);
    assert.ok(found);
    const lenses = await until("a lens", async () => {
      const all = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, 10);
      return all.length > 0 && all;
    });
    const [command] = lenses.map((lens) => lens.command);
    assert.deepEqual([command?.title, lenses[0]?.range.start.line], ["Show ranks", found.range.start.line]);
    const actions = await codeActions(uri, found.range, "quickfix");
    assert.ok(actions.some((action) => action.command?.title === "Show ranks"));
    await vscode.commands.executeCommand(command?.command ?? "", ...(command?.arguments ?? []));
    await until("the trace", () => tabs().includes("Trace: evaluation.py"));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("shows the page of a rule behind the code of a finding, and from its action", async () => {
    const { uri } = await open("train.py");
    const [found] = await findingsBecome(uri, 1);
    assert.ok(found && typeof found.code === "object");
    assert.equal(found.code.target.toString(), "ddl-lint-rule:/DDL402%20missing-set-epoch");
    const isShown = () => tabs().includes("DDL402 missing-set-epoch");
    await vscode.commands.executeCommand("vscode.open", found.code.target);
    await until("the page", isShown);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await open("train.py");
    const actions = await codeActions(uri, found.range, "quickfix");
    const { command } = actions.find((action) => action.title === "Show documentation of DDL402") ?? {};
    assert.ok(command, actions.map((action) => action.title).join("; "));
    await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
    await until("the page", isShown);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("orders what it offers: one preferred fix, what explains, what silences", async () => {
    const { uri } = await open("train.py");
    const [found] = await findingsBecome(uri, 1);
    assert.ok(found);
    const actions = await codeActions(uri, found.range, "quickfix");
    assert.deepEqual(
      actions.map(({ title }) => title),
      [
        "Call set_epoch at the start of each epoch",
        "Show documentation of DDL402",
        "Ignore `missing-set-epoch` on this line",
        "Ignore `missing-set-epoch` in this file",
        "Ignore `missing-set-epoch` in this project",
      ],
    );
    assert.deepEqual(
      actions.map(({ isPreferred }) => isPreferred ?? false),
      [true, false, false, false, false],
    );
  });

  it("ignores a rule in the project: in the configuration, which is saved", async () => {
    const { uri } = await open("train.py");
    const [found] = await findingsBecome(uri, 1);
    assert.ok(found);
    const actions = await codeActions(uri, found.range, "quickfix.suppress");
    const inProject = actions.find((action) => action.title.endsWith("in this project"));
    assert.ok(inProject?.edit && inProject.command);
    await vscode.workspace.applyEdit(inProject.edit);
    await vscode.commands.executeCommand(
      inProject.command.command,
      ...((inProject.command.arguments ?? []) as unknown[]),
    );
    await findingsBecome(uri, 0);
    const configuration = fileOf("ddl-lint.toml");
    const saved = Buffer.from(await vscode.workspace.fs.readFile(configuration)).toString();
    assert.equal(saved, 'ignore = ["missing-set-epoch"]\n');
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.workspace.fs.delete(configuration);
    await open("train.py");
    await findingsBecome(uri, 1);
  });

  it("checks the whole workspace on demand", async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.commands.executeCommand("ddl-lint.checkWorkspace");
    await until("findings of files that are not open", () =>
      ["train.py", "checkpoint.py", "evaluation.py"].every((name) => findings(fileOf(name)).length === 1),
    );
    await vscode.commands.executeCommand("workbench.action.closePanel"); // it would hide cells, which are not asked for then
  });

  it("listens to settings, and to a configuration file that appears", async () => {
    const { uri } = await open("train.py");
    await findingsBecome(uri, 1);
    await set("ignore", ["missing-set-epoch"]);
    await findingsBecome(uri, 0);
    await set("ignore", undefined);
    await findingsBecome(uri, 1);
    const configuration = fileOf("ddl-lint.toml");
    await vscode.workspace.fs.writeFile(configuration, Buffer.from('ignore = ["DDL402"]\n'));
    await findingsBecome(uri, 0);
    await vscode.workspace.fs.delete(configuration);
    await findingsBecome(uri, 1);
  });

  it("tells which ddl-lint runs and why", async () => {
    await open("train.py");
    const text = await debugInformation();
    assert.match(
      text,
      /ddl-lint: \d+\.\d+\S*, installed for Python 3\.\d+\.\d+, from the setting ddl-lint\.interpreter/,
    );
    assert.match(text, /The server says\n\n\S/);
  });

  it("checks files that have no name yet", async () => {
    const content = "import torch.distributed as dist\n\ndist.barrier()\n";
    const document = await vscode.workspace.openTextDocument({ language: "python", content });
    await vscode.window.showTextDocument(document);
    const [found] = await findingsBecome(document.uri, 1);
    assert.equal(codeOf(found), "DDL201");
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("finds and mends in notebooks, cell by cell", async () => {
    const notebook = await vscode.workspace.openNotebookDocument(fileOf("notebook.ipynb"));
    await vscode.window.showNotebookDocument(notebook);
    const cell = notebook.getCells().at(-1)?.document;
    assert.ok(cell);
    const before = notebook.getCells().map((each) => each.document.getText());
    const [found] = await findingsBecome(cell.uri, 1);
    assert.equal(codeOf(found), "DDL402");
    await vscode.commands.executeCommand("ddl-lint.fixAll");
    await findingsBecome(cell.uri, 0);
    assert.match(cell.getText(), /set_epoch\(epoch\)/);
    const after = notebook.getCells().map((each) => each.document.getText());
    assert.deepEqual(after.slice(0, -1), before.slice(0, -1));
    assert.ok(await notebook.save());
  });

  it("forgets a file that is deleted, whether its tab is closed before or afterwards", async () => {
    for (const [name, closeFirst] of [
      ["train.py", true],
      ["evaluation.py", false],
    ] as const) {
      const { uri } = await open(name);
      await findingsBecome(uri, 1);
      if (closeFirst) {
        await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      }
      await vscode.workspace.fs.delete(uri);
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      await findingsBecome(uri, 0);
    }
  });
});

function codeOf(diagnostic: vscode.Diagnostic | undefined): string {
  const code = diagnostic?.code;
  return String(typeof code === "object" ? code.value : code);
}

function tabs(): string[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
}
