// Runs a program for its output, for a limited time.
import { spawn } from "node:child_process";

/** What became of a program. */
export type Outcome =
  { readonly kind: "done"; readonly stdout: string } | { readonly kind: "failed"; readonly why: string };

const LARGEST_OUTPUT = 100_000;

/**
 * Runs a program without a shell in a folder that holds nothing to import, and gives its standard output. A program that
 * takes too long is ended; nothing that it does can hold the editor up.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly timeLimit: number },
): Promise<Outcome> {
  return new Promise((resolve) => {
    let stdout = "";
    let stderr = "";
    let settled = false;
    const settle = (outcome: Outcome): void => {
      if (!settled) {
        settled = true;
        clearTimeout(timer);
        resolve(outcome);
      }
    };
    const child = spawn(command, args, { cwd: options.cwd, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      settle({ kind: "failed", why: `gave no answer within ${options.timeLimit / 1000} seconds` });
    }, options.timeLimit);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout = (stdout + text).slice(0, LARGEST_OUTPUT);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-LARGEST_OUTPUT);
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      settle({ kind: "failed", why: error.code === "ENOENT" ? "does not exist" : `cannot be run (${error.message})` });
    });
    child.on("close", (code, signal) => {
      if (code === 0) {
        settle({ kind: "done", stdout });
      } else {
        const lastLine = stderr.trim().split("\n").at(-1) ?? "";
        const end = signal ? `ended by ${signal}` : `exit code ${code}`;
        settle({ kind: "failed", why: lastLine ? `${end}: ${lastLine.slice(0, 300)}` : end });
      }
    });
  });
}
