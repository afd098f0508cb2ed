// What to tell about a program or interpreter that cannot be used. Knows nothing of VS Code.
import type { Launch, PassedOver } from "./launch";
import { OLDEST_PYTHON } from "./version";

/** Something is not as the user wants it. */
export interface Trouble {
  /** In two or three words. */
  readonly title: string;
  /** Why: each program that was tried, and what is wrong with it. */
  readonly reasons: readonly string[];
  /** What is done instead, and what the user can do. */
  readonly remedy: string;
}

/** What was passed over and why, as a sentence. */
export function describe(passedOver: PassedOver): string {
  return `not used: ${passedOver.what} ${passedOver.why}`;
}

/** The trouble with a launch that works: what the user named in a setting could not be used. */
export function troubleOf(launch: Launch, version: string): Trouble | undefined {
  const named = launch.passedOver.filter((each) => each.named);
  if (named.length === 0) {
    return undefined;
  }
  const instead = `Findings come from ddl-lint ${version} (${launch.description}) instead, started by ${launch.command}.`;
  return { title: "wrong interpreter", reasons: named.map(describe), remedy: `${instead} ${ADVICE}` };
}

/** The trouble where nothing could be started. */
export function troubleWithout(passedOver: readonly PassedOver[]): Trouble {
  const reasons = passedOver.map(describe);
  return {
    title: "no Python",
    reasons: reasons.length > 0 ? reasons : ["no Python interpreter was found"],
    remedy: `Nothing is checked. ${ADVICE}`,
  };
}

/** The trouble with a server that starts and does not stay. */
export function troubleWithServer(why: string): Trouble {
  return { title: "does not run", reasons: [why], remedy: "Nothing is checked. The log says more; then restart it." };
}

/** All of it as a sentence or two, for places that have one line. */
export function inOneLine({ reasons, remedy }: Trouble): string {
  return `${reasons.join("; ")}. ${remedy}`;
}

const ADVICE = `Set ddl-lint.interpreter to a Python ${OLDEST_PYTHON} or newer, or leave it empty.`;
