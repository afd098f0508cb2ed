// The interpreter that the user chose in one of the two Python extensions. Both are optional, and neither is waited for
// longer than a moment.
import * as vscode from "vscode";
import type { Candidate } from "./candidate";

const ENVIRONMENTS = "ms-python.vscode-python-envs";
const PYTHON = "ms-python.python";
const PATIENCE = 10_000; // milliseconds for the other extension to answer

// What is used of their interfaces.
interface EnvironmentsApi {
  getEnvironment(scope: vscode.Uri | undefined): Promise<{ execInfo?: { run?: { executable?: string } } } | undefined>;
  onDidChangeEnvironment: vscode.Event<unknown>;
}
interface PythonApi {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** Whether one of the extensions is there to ask. */
export function hasPythonExtension(): boolean {
  return [ENVIRONMENTS, PYTHON].some((id) => vscode.extensions.getExtension(id) !== undefined);
}

/** The interpreters that the extensions name for a folder, the newer extension first. */
export async function interpretersOfExtensions(
  folder: vscode.Uri | undefined,
  warn: (message: string) => void,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const ask = async (origin: string, question: () => Promise<string | undefined>): Promise<void> => {
    try {
      const command = await withPatience(question());
      if (command) {
        found.push({ command, origin });
      }
    } catch (error) {
      warn(`${origin} could not name an interpreter: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  await ask("the Python Environments extension", async () => {
    const api = await activated<EnvironmentsApi>(ENVIRONMENTS);
    return (await api?.getEnvironment(folder))?.execInfo?.run?.executable;
  });
  await ask("the Python extension", async () => {
    const environments = (await activated<PythonApi>(PYTHON))?.environments;
    const chosen = environments?.getActiveEnvironmentPath(folder);
    return chosen && (await environments?.resolveEnvironment(chosen))?.executable.uri?.fsPath;
  });
  return found;
}

/** Calls `changed` whenever the user chooses another interpreter in one of the extensions. */
export async function watchInterpreters(changed: () => void): Promise<vscode.Disposable> {
  const watchers: vscode.Disposable[] = [];
  try {
    const environments = await withPatience(activated<EnvironmentsApi>(ENVIRONMENTS));
    const python = await withPatience(activated<PythonApi>(PYTHON));
    for (const event of [environments?.onDidChangeEnvironment, python?.environments.onDidChangeActiveEnvironmentPath]) {
      if (event) {
        watchers.push(event(changed));
      }
    }
  } catch {
    // An extension that cannot start will not change its mind either; who chooses an interpreter can restart the server.
  }
  return vscode.Disposable.from(...watchers);
}

async function activated<Api>(id: string): Promise<Api | undefined> {
  return vscode.extensions.getExtension<Api>(id)?.activate();
}

function withPatience<T>(answer: Promise<T>): Promise<T> {
  return Promise.race([
    answer,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error("no answer in time")), PATIENCE).unref()),
  ]);
}
