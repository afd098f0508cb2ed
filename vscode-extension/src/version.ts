// Versions as Python packages write them, as far as a floor needs it: the numbers in front count.

/** The oldest Python that runs the server. */
export const OLDEST_PYTHON = "3.10";

/** The oldest ddl-lint that has the server and the commands that this extension calls. */
export const OLDEST_DDL_LINT = "0.1.0";

/** The release numbers of a version, e.g. `[0, 1, 0]` of `0.1.0rc1`; undefined if it does not start with one. */
export function releaseOf(version: string): number[] | undefined {
  const match = /^\s*v?(\d+(?:\.\d+)*)/.exec(version);
  return match?.[1]?.split(".").map(Number);
}

/** Whether a version is the floor or newer. What cannot be read is not. */
export function isAtLeast(version: string, floor: string): boolean {
  const numbers = releaseOf(version);
  const least = releaseOf(floor);
  if (!numbers || !least) {
    return false;
  }
  for (let index = 0; index < Math.max(numbers.length, least.length); index++) {
    const difference = (numbers[index] ?? 0) - (least[index] ?? 0);
    if (difference !== 0) {
      return difference > 0;
    }
  }
  return true;
}
