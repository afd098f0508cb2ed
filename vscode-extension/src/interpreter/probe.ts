// Asks an interpreter what it is, before anything is started with it.
import * as path from "node:path";
import { runProgram } from "../runProgram";
import { isAtLeast, OLDEST_PYTHON } from "../version";

/** What an interpreter says of itself. */
export interface Interpreter {
  readonly version: string;
  /** Its full path. */
  readonly executable: string;
  /** The version of ddl-lint that is installed for it. */
  readonly ddlLint: string | null;
  readonly hasServer: boolean;
  /** The folder of bundled libraries that it can load, such as "cp312". */
  readonly bundle: string | null;
}

export type Probed =
  { readonly kind: "usable"; readonly interpreter: Interpreter } | { readonly kind: "unusable"; readonly why: string };

export interface ProbeOptions {
  /** The extension's folder `bundled`. */
  readonly bundled: string;
  /** Milliseconds. The first start of an interpreter on a busy machine is slow. */
  readonly timeLimit: number;
  /** Leave out what only the user's environment variables and home add to the interpreter. */
  readonly isolated: boolean;
}

/** Runs the interpreter with the probe script. */
export async function probeInterpreter(command: string, options: ProbeOptions): Promise<Probed> {
  const tool = path.join(options.bundled, "tool");
  const args = [path.join(tool, "probe.py"), path.join(options.bundled, "libs")];
  const outcome = await runProgram(command, options.isolated ? ["-I", ...args] : args, {
    cwd: tool,
    timeLimit: options.timeLimit,
  });
  if (outcome.kind === "failed") {
    return { kind: "unusable", why: outcome.why };
  }
  let known: unknown;
  try {
    known = JSON.parse(outcome.stdout);
  } catch {
    return { kind: "unusable", why: "is not a Python interpreter" };
  }
  if (!isInterpreter(known)) {
    return { kind: "unusable", why: "is not a Python interpreter" };
  }
  if (!isAtLeast(known.version, OLDEST_PYTHON)) {
    return { kind: "unusable", why: `is Python ${known.version}, and ${OLDEST_PYTHON} or newer is needed` };
  }
  return { kind: "usable", interpreter: known };
}

function isInterpreter(value: unknown): value is Interpreter {
  return typeof value === "object" && value !== null && "version" in value && typeof value.version === "string";
}
