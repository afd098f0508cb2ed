// The variables that people write into settings: ${workspaceFolder}, ${userHome}, ${env:NAME} and so on.
import * as path from "node:path";

/** What variables stand for. */
export interface Surroundings {
  /** The folder that the setting is for, if there is one. */
  readonly folder: string | undefined;
  /** The workspace's folders by name, for `${workspaceFolder:name}`. */
  readonly folders: ReadonlyMap<string, string>;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Replaces the variables of a setting. One that has no value here is left as it is: the message about the path that does
 * not exist then shows what was meant.
 */
export function expand(value: string, surroundings: Surroundings): string {
  const replaced = value.replace(/\$\{(\w+)(?::([^}]*))?\}/g, (whole: string, name: string, argument?: string) => {
    switch (name) {
      case "workspaceFolder":
        return (argument === undefined ? surroundings.folder : surroundings.folders.get(argument)) ?? whole;
      case "workspaceFolderBasename":
        return surroundings.folder === undefined ? whole : path.basename(surroundings.folder);
      case "userHome":
        return surroundings.home;
      case "pathSeparator":
        return path.sep;
      case "env":
        // An unset variable is empty, as everywhere in VS Code.
        return argument === undefined ? whole : (surroundings.environment[argument] ?? "");
      default:
        return whole;
    }
  });
  return replaced === "~" || /^~[/\\]/.test(replaced) ? surroundings.home + replaced.slice(1) : replaced;
}

/**
 * Replaces the variables of a path, and completes it if it is relative: to the workspace folder, where there is one. A bare
 * name such as `python3` stays as it is, so that it is looked for on the PATH.
 */
export function expandPath(value: string, surroundings: Surroundings): string {
  const expanded = expand(value.trim(), surroundings);
  const isBareName = !/[/\\]/.test(expanded);
  if (expanded === "" || isBareName || path.isAbsolute(expanded) || surroundings.folder === undefined) {
    return expanded;
  }
  return path.join(surroundings.folder, expanded);
}
