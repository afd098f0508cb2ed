// The launches of a project as the server tells them. Knows nothing of VS Code.

/** A launch line; numbers are null where they are not known. */
export interface Job {
  /** Relative to the folder of the table. */
  readonly file: string;
  readonly line: number;
  readonly launchers: readonly string[];
  readonly script: string;
  readonly is_found: boolean;
  readonly nodes: number | null;
  readonly processes: number | null;
  readonly world_size: number | null;
  readonly engine: string;
  readonly batch: string;
  readonly versions: string;
  readonly container: string;
  readonly unknown: readonly string[];
}

/** What is known of a job, in words; or what is not. */
export interface Fact {
  readonly name: string;
  readonly text: string;
  readonly isKnown: boolean;
}

/** The launches of a table; none if it cannot be read. */
export function jobsOf(table: string): Job[] {
  try {
    const { jobs } = JSON.parse(table) as { jobs: unknown };
    return Array.isArray(jobs) ? jobs.filter(isJob) : [];
  } catch {
    return [];
  }
}

function isJob(each: unknown): each is Job {
  if (typeof each !== "object" || each === null) {
    return false;
  }
  const { file, line, launchers, script, unknown } = each as Record<string, unknown>;
  const isList = Array.isArray(launchers) && Array.isArray(unknown);
  return typeof file === "string" && typeof line === "number" && typeof script === "string" && isList;
}

/** How many processes a job has, in a few words: `32 ranks: 4 x 8`. */
export function sizeOf({ nodes, processes, world_size }: Job): string {
  if (world_size === null) {
    return "ranks not known";
  }
  const ranks = `${world_size} ${world_size === 1 ? "rank" : "ranks"}`;
  return world_size === 1 || nodes === null || processes === null ? ranks : `${ranks}: ${nodes} x ${processes}`;
}

/** All that is known of a job, and then what is not. */
export function factsOf(job: Job): Fact[] {
  const known: [string, string][] = [
    ["started by", job.launchers.join(" > ")],
    ["engine", job.engine],
    ["batch", job.batch],
    ["versions", job.versions],
    ["container", job.container],
  ];
  return [
    ...known.filter(([, text]) => text).map(([name, text]) => ({ name, text, isKnown: true })),
    ...job.unknown.map((text) => ({ name: "not known", text, isKnown: false })),
  ];
}
