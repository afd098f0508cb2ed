// Runs mocha inside the extension host.
import * as fs from "node:fs";
import { inspect } from "node:util";
import Mocha from "mocha";

const LIMIT = 60_000; // milliseconds for one test, on a busy machine

/** The `run` that VS Code calls: defines the tests of a suite, runs them in order and fails if one of them does. */
export function suiteOf(name: string, define: () => void): () => Promise<void> {
  return () => {
    // One test leads to the next, as in an editor: after a failure the rest says nothing.
    const mocha = new Mocha({ ui: "bdd", timeout: LIMIT, bail: true, reporter: FileReporter });
    mocha.suite.emit("pre-require", globalThis, name, mocha);
    describe(name, define);
    return new Promise((resolve, reject) => {
      mocha.run((failures) => (failures === 0 ? resolve() : reject(new Error(`${failures} tests failed`))));
    });
  };
}

/** Writes results to the file that the launcher reads: the console is full of the editor's own words. */
class FileReporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner) {
    super(runner);
    const write = (line: string): void => {
      const file = process.env["DDL_LINT_TEST_RESULTS"];
      if (file) {
        fs.appendFileSync(file, line + "\n");
      } else {
        console.log(line);
      }
    };
    runner.on("pass", (test) => write(`ok   ${test.title} (${test.duration ?? 0} ms)`));
    runner.on("fail", (test, error: unknown) => {
      write(`FAIL ${test.title}\n${error instanceof Error ? error.stack : inspect(error)}`);
    });
  }
}
