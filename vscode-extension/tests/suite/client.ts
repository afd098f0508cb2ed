// What the extension does whatever the rules are, with the server of tests/fake.
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

export const run = suiteOf("client", () => {
  it("finds training code, starts the server and shows its findings", async () => {
    const document = await open("train.py");
    const [first, second] = await findingsBecome(document.uri, 2);
    assert.equal(first?.code, "bad-call");
    assert.equal(first.severity, vscode.DiagnosticSeverity.Warning);
    assert.equal(document.getText(second?.range), "bad_call");
  });

  it("follows edits", async () => {
    const { uri } = await open("train.py");
    await edit(uri, (change) => change.insert(uri, new vscode.Position(0, 0), "bad_call()\n"));
    await findingsBecome(uri, 3);
    await edit(uri, (change) => change.delete(uri, new vscode.Range(0, 0, 1, 0)));
    await findingsBecome(uri, 2);
  });

  it("offers the server's quick fixes", async () => {
    const { uri } = await open("train.py");
    const [first] = await findingsBecome(uri, 2);
    assert.ok(first);
    const titles = async (kind: string) => (await codeActions(uri, first.range, kind)).map((action) => action.title);
    const suppression = "Do not say so here";
    assert.deepEqual(await titles("quickfix"), ["Mend", suppression]);
    assert.deepEqual(await titles("source.fixAll.ddl-lint"), ["Apply all"]);
    for (const [setting, rest] of [
      ["codeAction.fix.enable", [suppression]],
      ["codeAction.suppress.enable", ["Mend"]],
    ] as const) {
      await set(setting, false);
      assert.deepEqual(await titles("quickfix"), rest);
      await set(setting, undefined);
    }
    await set("fixAll", false);
    assert.deepEqual(await titles("source.fixAll"), []);
    await set("fixAll", undefined);
  });

  it("gives the server settings with their variables replaced, and tells it of changes", async () => {
    const folder = fileOf().fsPath;
    await set("select", ["DDL5"]);
    await set("configuration", "${workspaceFolder}/lint/strict.toml");
    const text = await until("the settings at the server", async () => {
      const told = await debugInformation();
      const both = /"select": \[\s*"DDL5"/.test(said(told)) && said(told).includes("strict.toml");
      return told.includes("## The server says") && both && told;
    });
    const seen = JSON.parse(said(text)) as {
      configuration: [{ configuration: string; select: string[] }];
      initializationOptions: { settings: { select: unknown } };
      cwd: string;
    };
    assert.equal(seen.configuration[0].configuration, `${folder}/lint/strict.toml`);
    assert.equal(seen.initializationOptions.settings.select, null);
    assert.ok(!seen.cwd.startsWith(folder), "the server does not start in the folder that is checked");
    await set("select", undefined);
    await set("configuration", undefined);
  });

  it("shows the page of a rule", async () => {
    await vscode.commands.executeCommand("ddl-lint.explainRule", "bad-call");
    await until("the page", () => rulePages().includes("BAD1 bad-call"));
    await vscode.commands.executeCommand("ddl-lint.explainRule", "unknown");
    await vscode.commands.executeCommand("ddl-lint.server.showRule", "bad-call");
    assert.deepEqual(rulePages(), ["BAD1 bad-call"], "one page, however it is asked for");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("shows the trace once for each file and function", async () => {
    const { uri } = await open("train.py");
    await vscode.commands.executeCommand("ddl-lint.showTrace", uri, "");
    await vscode.commands.executeCommand("ddl-lint.showTrace", uri, "main");
    await vscode.commands.executeCommand("ddl-lint.showTrace", uri, "main");
    await until("two pictures", () => tabs().filter((label) => label.startsWith("Trace: ")).length === 2);
    assert.ok(tabs().includes("Trace: main") && tabs().includes("Trace: train.py"));
    // What the server cannot show is a message, not a picture.
    await vscode.commands.executeCommand("ddl-lint.showTrace", uri, "nothing");
    assert.equal(tabs().filter((label) => label.startsWith("Trace: ")).length, 2);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("applies all safe fixes", async () => {
    const document = await open("train.py");
    await findingsBecome(document.uri, 2);
    await vscode.commands.executeCommand("ddl-lint.fixAll");
    await findingsBecome(document.uri, 0);
    assert.equal(document.getText().match(/good_call/g)?.length, 2);
    await vscode.commands.executeCommand("undo");
    await findingsBecome(document.uri, 2);
  });

  it("checks and mends notebooks", async () => {
    const notebook = await vscode.workspace.openNotebookDocument(fileOf("notebook.ipynb"));
    await vscode.window.showNotebookDocument(notebook);
    const cell = notebook.cellAt(2).document;
    const [found] = await findingsBecome(cell.uri, 1);
    assert.ok(found);
    const actions = await codeActions(cell.uri, found.range, "notebook.source.fixAll.ddl-lint");
    assert.equal(actions.length, 1);
    await edit(cell.uri, (change) => change.replace(cell.uri, found.range, "good_call"));
    await findingsBecome(cell.uri, 0);
    assert.ok(await notebook.save());
    assert.match(Buffer.from(await vscode.workspace.fs.readFile(notebook.uri)).toString(), /good_call\(torch\)/);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("starts a server that crashed again", async () => {
    const { uri } = await open("train.py");
    await findingsBecome(uri, 2);
    void vscode.commands.executeCommand("ddl-lint.explainRule", "crash");
    await edit(uri, (change) => change.insert(uri, new vscode.Position(0, 0), "bad_call()\n"));
    await findingsBecome(uri, 3);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("restarts on demand, and keeps what is right when nothing changes", async () => {
    const { uri } = await open("train.py");
    await Promise.all([1, 2, 3].map(() => vscode.commands.executeCommand("ddl-lint.restart")));
    await findingsBecome(uri, 2);
    await set("args", ["--note", "${workspaceFolder}"]);
    await until("the new arguments", async () => {
      const text = await debugInformation();
      return text.includes("## The server says") && said(text).includes(`"--note",\n    "${fileOf().fsPath}"`);
    });
    await findingsBecome(uri, 2);
    await set("args", undefined);
  });

  it("stops where it is switched off, and comes back", async () => {
    const { uri } = await open("train.py");
    await findingsBecome(uri, 2);
    await set("enable", false);
    await until("no findings", () => findings(uri).length === 0);
    await set("enable", true);
    await findingsBecome(uri, 2);
    await set("enable", undefined);
  });

  it("takes the next best server when the one of the setting cannot be used, and says so", async () => {
    await open("train.py");
    await set("path", fileOf("train.py").fsPath);
    const text = await until("the reason", async () => {
      const told = await debugInformation();
      return told.includes("train.py (the setting ddl-lint.path)") && told;
    });
    assert.match(text, /not used: .*train\.py \(the setting ddl-lint\.path\) (cannot be run|exit code)/);
    await set("path", undefined);
    await findingsBecome(fileOf("train.py"), 2);
  });
});

/** The rules whose pages are shown. */
function rulePages(): string[] {
  const inputs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.input));
  return inputs.flatMap((input) => {
    const isPage = input instanceof vscode.TabInputCustom && input.viewType === "ddl-lint.rulePage";
    return isPage ? [input.uri.path.slice(1)] : [];
  });
}

function said(debugText: string): string {
  return debugText.split("## The server says")[1]?.replaceAll(/```(?:json)?/g, "") ?? "";
}

function tabs(): string[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
}
