// Puts the questions of launch.ts to this window: its settings, its Python extensions, its PATH.
import * as path from "node:path";
import * as vscode from "vscode";
import type { Candidate } from "./interpreter/candidate";
import { interpretersOnPath, liesOutside } from "./interpreter/onPath";
import { probeInterpreter } from "./interpreter/probe";
import { interpretersOfExtensions } from "./interpreter/pythonExtensions";
import { decideLaunch, INTERPRETER_SETTING, type Launch, type NoLaunch } from "./launch";
import { runProgram } from "./runProgram";
import { launchSettings } from "./settings";

const TIME_LIMIT = 20_000; // milliseconds for a program to say its version

/** Finds what to start in this window. `bundledOnly` is for the second try, when an installed server does not start. */
export async function findLaunch(
  extensionFolder: string,
  log: vscode.LogOutputChannel,
  bundledOnly = false,
): Promise<Launch | NoLaunch> {
  const settings = launchSettings();
  const trusted = vscode.workspace.isTrusted;
  const bundled = path.join(extensionFolder, "bundled");
  const folders = vscode.workspace.workspaceFolders ?? [];
  const forbidden = trusted ? [] : folders.map((folder) => folder.uri.fsPath);

  async function* candidates(): AsyncGenerator<Candidate> {
    if (settings.interpreter && (trusted || liesOutside(settings.interpreter, forbidden))) {
      yield { command: settings.interpreter, origin: INTERPRETER_SETTING };
    }
    if (trusted) {
      // They may choose an environment that lies in the folder.
      yield* await interpretersOfExtensions(folders[0]?.uri, (message) => log.warn(message));
    }
    yield* interpretersOnPath({
      searchPath: process.env["PATH"] ?? "",
      platform: process.platform,
      forbidden,
    });
  }

  return decideLaunch(
    {
      program: bundledOnly ? "" : settings.path,
      args: settings.args,
      importStrategy: bundledOnly ? "useBundled" : settings.importStrategy,
      trusted,
      bundled,
    },
    {
      candidates,
      probe: (command) => probeInterpreter(command, { bundled, timeLimit: TIME_LIMIT, isolated: !trusted }),
      version: (program) => runProgram(program, ["--version"], { cwd: bundled, timeLimit: TIME_LIMIT }),
    },
  );
}
