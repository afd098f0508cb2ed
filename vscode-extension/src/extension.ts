// The extension: puts the parts together. Nothing is measured and nothing is sent anywhere.
import * as vscode from "vscode";
import { registerCheckWorkspace } from "./commands/checkWorkspace";
import { registerDebugInformation } from "./commands/debugInformation";
import { registerDiagnoseLog } from "./commands/diagnoseLog";
import { registerExplainRule } from "./commands/explainRule";
import { registerFixAll } from "./commands/fixAll";
import { registerLogs } from "./commands/logs";
import { registerRestart } from "./commands/restart";
import { registerShowJobs } from "./commands/showJobs";
import { registerShowTrace } from "./commands/showTrace";
import { registerSaveConfiguration } from "./configurationFiles";
import { DeletedFiles } from "./deletedFiles";
import { makeInterpreterHint } from "./hint";
import { watchInterpreters } from "./interpreter/pythonExtensions";
import { registerJobsView } from "./jobsView";
import { MessageTraceChannel } from "./messageTrace";
import { SECTION } from "./names";
import { awaitTrainingCode } from "./presence";
import { registerReadOnlyTexts } from "./readOnlyText";
import { registerRulePages } from "./rulePages";
import { Server } from "./server";
import { LAUNCH_SETTINGS } from "./settings";
import { makeStatus } from "./status";

let server: Server | undefined;

/** Called by the editor when one of the activation events of package.json has happened. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("ddl-lint", { log: true });
  const serverLog = vscode.window.createOutputChannel("ddl-lint Server", { log: true });
  const messages = new MessageTraceChannel();
  const deletedFiles = new DeletedFiles();
  const status = makeStatus();
  const running = new Server({
    extensionFolder: context.extensionUri.fsPath,
    log,
    serverLog,
    messages,
    deletedFiles,
    status,
    onNoInterpreter: makeInterpreterHint(context.globalState),
  });
  server = running;
  const { version } = context.extension.packageJSON as { version: string };
  context.subscriptions.push(
    log,
    serverLog,
    messages,
    deletedFiles,
    status,
    registerReadOnlyTexts(),
    registerLogs(log, serverLog),
    registerRestart(running),
    registerFixAll(),
    registerExplainRule(running),
    registerShowTrace(running),
    registerShowJobs(running),
    registerJobsView(running),
    registerDiagnoseLog(running),
    registerCheckWorkspace(running),
    registerRulePages(running),
    registerSaveConfiguration(),
    registerDebugInformation(running, version),
    refreshWhenNeeded(running),
    awaitTrainingCode(() => void running.want()),
  );
  void watchInterpreters(() => void running.refresh("another interpreter was chosen")).then((watcher) =>
    context.subscriptions.push(watcher),
  );
}

/** Called by the editor before it ends. */
export async function deactivate(): Promise<void> {
  await server?.stop();
}

function refreshWhenNeeded(running: Server): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((change) => {
      const settings = [`${SECTION}.enable`, ...LAUNCH_SETTINGS];
      if (settings.some((setting) => change.affectsConfiguration(setting))) {
        void running.refresh("a setting was changed");
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void running.refresh("the workspace is trusted now")),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void running.refresh("the folders of the window have changed")),
  );
}
