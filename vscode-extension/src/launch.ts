// Decides what to start: which program, which ddl-lint, and why. Knows nothing of VS Code.
import * as path from "node:path";
import type { Candidate } from "./interpreter/candidate";
import type { Interpreter, Probed } from "./interpreter/probe";
import type { Outcome } from "./runProgram";
import { isAtLeast, OLDEST_DDL_LINT } from "./version";

export type ImportStrategy = "fromEnvironment" | "useBundled";

/** What the user wants, and what may be done. */
export interface Wishes {
  /** The setting `path`, its variables replaced; empty if there is none. */
  readonly program: string;
  readonly args: readonly string[];
  readonly importStrategy: ImportStrategy;
  /** Without trust only the bundled server is run. */
  readonly trusted: boolean;
  /** The extension's folder `bundled`. */
  readonly bundled: string;
}

/** How the world outside is asked; replaced in tests. */
export interface Questions {
  /** Interpreters, best first. The later ones may be costly to find, so they are found only when needed. */
  candidates(): AsyncIterable<Candidate>;
  probe(command: string): Promise<Probed>;
  version(program: string): Promise<Outcome>;
}

/** What to start. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Which ddl-lint that is, to be read behind its version: "installed for Python 3.12.1". */
  readonly description: string;
  /** Where the program or interpreter comes from. */
  readonly origin: string;
  /** What was tried before and could not be used. If the user asked for it by name, it is worth a warning. */
  readonly passedOver: readonly PassedOver[];
}

export interface PassedOver {
  readonly what: string;
  readonly why: string;
  /** The user named it in a setting. */
  readonly named: boolean;
}

/** Nothing can be started. */
export interface NoLaunch {
  readonly command: undefined;
  readonly passedOver: readonly PassedOver[];
}

export const INTERPRETER_SETTING = "the setting ddl-lint.interpreter";
const PATH_SETTING = "the setting ddl-lint.path";

/** Finds what to start: the program of the setting, else the best interpreter with an installed or the bundled server. */
export async function decideLaunch(wishes: Wishes, questions: Questions): Promise<Launch | NoLaunch> {
  const passedOver: PassedOver[] = [];
  if (wishes.program && wishes.trusted) {
    const answer = await questions.version(wishes.program);
    const version = answer.kind === "done" ? /^ddl-lint (\S+)/.exec(answer.stdout)?.[1] : undefined;
    if (version !== undefined && isAtLeast(version, OLDEST_DDL_LINT)) {
      const args = ["server", ...wishes.args];
      return { command: wishes.program, args, description: wishes.program, origin: PATH_SETTING, passedOver };
    }
    const why =
      answer.kind === "failed"
        ? answer.why
        : version === undefined
          ? "does not say that it is ddl-lint"
          : `is ddl-lint ${version}, and ${OLDEST_DDL_LINT} or newer is needed`;
    passedOver.push({ what: `${wishes.program} (${PATH_SETTING})`, why, named: true });
  }
  for await (const candidate of questions.candidates()) {
    const what = `${candidate.command} (${candidate.origin})`;
    const named = candidate.origin === INTERPRETER_SETTING;
    const probed = await questions.probe(candidate.command);
    if (probed.kind === "unusable") {
      passedOver.push({ what, why: probed.why, named });
      continue;
    }
    const choice = chooseServer(probed.interpreter, wishes);
    if ("why" in choice) {
      passedOver.push({ what, why: choice.why, named });
      continue;
    }
    if (choice.note !== undefined) {
      passedOver.push({ what: `the ddl-lint of ${what}`, why: choice.note, named: false });
    }
    const script = path.join(wishes.bundled, "tool", "start_server.py");
    return {
      command: candidate.command,
      args: [...choice.flags, script, choice.from, ...wishes.args],
      description: choice.description,
      origin: candidate.origin,
      passedOver,
    };
  }
  return { command: undefined, passedOver };
}

/** Says how a launch differs from another one, as far as a restart is concerned. */
export function isSameLaunch(one: Launch | undefined, other: Launch | undefined): boolean {
  return JSON.stringify([one?.command, one?.args]) === JSON.stringify([other?.command, other?.args]);
}

interface Choice {
  /** What `start_server.py` is told: "environment", or the folder of bundled libraries. */
  readonly from: string;
  /** Flags of the interpreter. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Why the installed one is not used, if there is one. */
  readonly note?: string;
}

function chooseServer(interpreter: Interpreter, wishes: Wishes): Choice | { readonly why: string } {
  const python = `Python ${interpreter.version}`;
  let note: string | undefined;
  if (wishes.trusted && wishes.importStrategy === "fromEnvironment" && interpreter.ddlLint !== null) {
    if (!isAtLeast(interpreter.ddlLint, OLDEST_DDL_LINT)) {
      note = `is ${interpreter.ddlLint}, and ${OLDEST_DDL_LINT} or newer is needed`;
    } else if (!interpreter.hasServer) {
      note = "has no language server";
    } else {
      return {
        from: "environment",
        flags: [],
        description: `installed for ${python}`,
      };
    }
  }
  if (interpreter.bundle === null) {
    return { why: `is ${python}, for which the extension brings no libraries, and has no ddl-lint of its own to run` };
  }
  return {
    from: interpreter.bundle,
    // Isolated: neither environment variables nor the home folder add modules to those that are bundled.
    flags: ["-I"],
    description: `bundled, on ${python}`,
    ...(note === undefined ? {} : { note }),
  };
}
