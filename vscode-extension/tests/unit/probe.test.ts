import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { probeInterpreter } from "../../src/interpreter/probe";
import { runProgram } from "../../src/runProgram";

const bundled = path.resolve(__dirname, "../../bundled");
const options = { bundled, timeLimit: 60_000, isolated: false };
let folder: string;

before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "ddl-lint-probe-"));
});
after(() => fs.rmSync(folder, { recursive: true }));

function program(name: string, script: string): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

test("an interpreter says its version", async () => {
  const probed = await probeInterpreter("python3", options);
  assert.equal(probed.kind, "usable");
  assert.match(probed.kind === "usable" ? probed.interpreter.version : "", /^3\.\d+\.\d+$/);
});

test("what is no interpreter, is absent, too old, broken or hangs, is said to be so", async () => {
  for (const [command, why] of [
    [path.join(folder, "absent"), /does not exist/],
    [program("chatty", "echo hello"), /not a Python interpreter/],
    [program("number", "echo 3"), /not a Python interpreter/],
    [program("old", `echo '{"version": "3.8.10"}'`), /Python 3\.8\.10, and 3\.10 or newer is needed/],
    [program("broken", "echo 'libpython.so: no such file' >&2; exit 127"), /exit code 127: libpython/],
    [folder, /cannot be run/],
  ] as const) {
    const probed = await probeInterpreter(command, options);
    assert.match(probed.kind === "unusable" ? probed.why : "usable", why);
  }
  const probed = await probeInterpreter(program("hanging", "exec sleep 600"), { ...options, timeLimit: 300 });
  assert.match(probed.kind === "unusable" ? probed.why : "usable", /no answer within 0\.3 seconds/);
});

test("a module of the working directory is not imported", async () => {
  fs.writeFileSync(path.join(folder, "json.py"), "raise SystemExit('imported')\n");
  const script = path.join(bundled, "tool", "probe.py");
  const outcome = await runProgram("python3", [script, "absent"], { cwd: folder, timeLimit: 60_000 });
  assert.equal(outcome.kind, "done");
});
