// Interpreters on the PATH.
import * as fs from "node:fs";
import * as path from "node:path";
import type { Candidate } from "./candidate";

/** Where to look. */
export interface PathSearch {
  /** The PATH as the environment has it. */
  readonly searchPath: string;
  readonly platform: NodeJS.Platform;
  /** Folders whose programs are not to be used: the workspace's. */
  readonly forbidden: readonly string[];
}

/**
 * The interpreters on the PATH, `python3` before `python`. Entries that are relative, or lie in the workspace, are passed
 * over: what is checked must not be able to offer a program.
 */
export function interpretersOnPath(search: PathSearch): Candidate[] {
  const windows = search.platform === "win32";
  const names = windows ? ["python.exe", "python3.exe", "py.exe"] : ["python3", "python"];
  const folders = search.searchPath
    .split(windows ? ";" : ":")
    .filter((folder) => path.isAbsolute(folder) && !search.forbidden.some((root) => isWithin(folder, root)));
  const found: Candidate[] = [];
  for (const name of names) {
    const first = folders.map((folder) => path.join(folder, name)).find((file) => isUsable(file, search.forbidden));
    if (first !== undefined) {
      found.push({ command: first, origin: "the PATH" });
    }
  }
  return found;
}

function isUsable(file: string, forbidden: readonly string[]): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile() && liesOutside(file, forbidden);
  } catch {
    return false;
  }
}

/**
 * Whether a program surely lies outside of folders, both as it is called and where its links lead. A user's setting may say
 * `${workspaceFolder}`, or give a bare name.
 */
export function liesOutside(file: string, folders: readonly string[]): boolean {
  if (!path.isAbsolute(file)) {
    return false;
  }
  try {
    const places = [file, fs.realpathSync(file), path.join(fs.realpathSync(path.dirname(file)), path.basename(file))];
    const roots = folders.flatMap((folder) => [folder, fs.realpathSync(folder)]);
    return !places.some((place) => roots.some((root) => isWithin(place, root)));
  } catch {
    return false;
  }
}

/** Whether a path is a folder or lies in it. */
export function isWithin(file: string, folder: string): boolean {
  const way = path.relative(folder, file);
  return way === "" || (way !== ".." && !way.startsWith(".." + path.sep) && !path.isAbsolute(way));
}
