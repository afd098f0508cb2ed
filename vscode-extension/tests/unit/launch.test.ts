import assert from "node:assert/strict";
import { test } from "node:test";
import type { Candidate } from "../../src/interpreter/candidate";
import type { Interpreter, Probed } from "../../src/interpreter/probe";
import { decideLaunch, INTERPRETER_SETTING, isSameLaunch, type Launch, type Wishes } from "../../src/launch";
import type { Outcome } from "../../src/runProgram";

const SCRIPT = "/ext/bundled/tool/start_server.py";
const wishes: Wishes = {
  program: "",
  args: [],
  importStrategy: "fromEnvironment",
  trusted: true,
  bundled: "/ext/bundled",
};

function python(known: Partial<Interpreter>): Probed {
  const plain = { version: "3.12.1", executable: "", ddlLint: null, hasServer: false, bundle: null };
  return { kind: "usable", interpreter: { ...plain, ...known } };
}

interface World {
  candidates: Candidate[];
  interpreters?: Record<string, Probed>;
  programs?: Record<string, Outcome>;
}

async function decide(given: Partial<Wishes>, world: World) {
  const asked: string[] = [];
  const decision = await decideLaunch(
    { ...wishes, ...given },
    {
      async *candidates() {
        yield* world.candidates;
      },
      probe: async (command) => {
        asked.push(command);
        return world.interpreters?.[command] ?? { kind: "unusable", why: "does not exist" };
      },
      version: async (program) => {
        asked.push(program);
        return world.programs?.[program] ?? { kind: "failed", why: "does not exist" };
      },
    },
  );
  return { decision, asked };
}

const venv: Candidate = { command: "/venv/python", origin: "the Python extension" };
const system: Candidate = { command: "/usr/bin/python3", origin: "the PATH" };

test("the installed ddl-lint is preferred, and nobody else is asked", async () => {
  const interpreters = { "/venv/python": python({ ddlLint: "0.2.0", hasServer: true, bundle: "cp312" }) };
  const { decision, asked } = await decide({ args: ["--x"] }, { candidates: [venv, system], interpreters });
  assert.deepEqual(decision.command && decision.args, [SCRIPT, "environment", "--x"]);
  assert.deepEqual(asked, ["/venv/python"]);
});

test("without an installed one the bundled one runs, isolated", async () => {
  const { decision } = await decide(
    {},
    { candidates: [venv], interpreters: { "/venv/python": python({ bundle: "cp312" }) } },
  );
  assert.deepEqual(decision.command && decision.args, ["-I", SCRIPT, "cp312"]);
});

test("an installed one that is too old, or has no server, is not run, and the log says so", async () => {
  for (const known of [
    { ddlLint: "0.0.9", hasServer: true },
    { ddlLint: "0.1.0", hasServer: false },
  ]) {
    const interpreters = { "/venv/python": python({ ...known, bundle: "cp312" }) };
    const { decision } = await decide({}, { candidates: [venv], interpreters });
    assert.ok(decision.command);
    assert.equal(decision.args[2], "cp312");
    assert.match(decision.passedOver[0]?.why ?? "", /0\.1\.0 or newer|no language server/);
  }
});

test("useBundled takes the bundled one although another is installed", async () => {
  const interpreters = { "/venv/python": python({ ddlLint: "9.0", hasServer: true, bundle: "cp310" }) };
  const { decision } = await decide({ importStrategy: "useBundled" }, { candidates: [venv], interpreters });
  assert.deepEqual(decision.command && decision.args, ["-I", SCRIPT, "cp310"]);
});

test("without trust only the bundled one runs, and the program of the setting does not", async () => {
  const interpreters = { "/usr/bin/python3": python({ ddlLint: "9.0", hasServer: true, bundle: "cp311" }) };
  const { decision, asked } = await decide(
    { trusted: false, program: "/projects/.venv/bin/ddl-lint" },
    {
      candidates: [system],
      interpreters,
      programs: { "/projects/.venv/bin/ddl-lint": { kind: "done", stdout: "ddl-lint 9.0" } },
    },
  );
  assert.deepEqual(decision.command && decision.args, ["-I", SCRIPT, "cp311"]);
  assert.deepEqual(asked, ["/usr/bin/python3"]);
});

test("a bad interpreter of the setting is passed over with a warning, and the next one is taken", async () => {
  const chosen: Candidate = { command: "/old/python", origin: INTERPRETER_SETTING };
  const interpreters: Record<string, Probed> = {
    "/old/python": { kind: "unusable", why: "is Python 3.8.2, and 3.10 or newer is needed" },
    "/usr/bin/python3": python({ bundle: "cp312" }),
  };
  const { decision } = await decide({}, { candidates: [chosen, system], interpreters });
  assert.equal(decision.command, "/usr/bin/python3");
  assert.deepEqual(
    decision.passedOver.map((each) => each.named),
    [true],
  );
});

test("the program of the setting is asked for its version first", async () => {
  const programs: Record<string, Outcome> = {
    "/bin/ddl-lint": { kind: "done", stdout: "ddl-lint 0.3.0\n" },
    "/bin/python": { kind: "done", stdout: "Python 3.12.1\n" },
    "/bin/old": { kind: "done", stdout: "ddl-lint 0.0.1\n" },
    "/bin/slow": { kind: "failed", why: "gave no answer within 20 seconds" },
  };
  const candidates = [system];
  const interpreters = { "/usr/bin/python3": python({ bundle: "cp312" }) };
  const good = await decide({ program: "/bin/ddl-lint", args: ["-v"] }, { candidates, programs });
  assert.deepEqual(good.decision.command && [good.decision.command, ...good.decision.args], [
    "/bin/ddl-lint",
    "server",
    "-v",
  ]);
  for (const program of ["/bin/python", "/bin/old", "/bin/slow", "/bin/absent"]) {
    const { decision } = await decide({ program }, { candidates, programs, interpreters });
    assert.equal(decision.command, "/usr/bin/python3");
    assert.equal(decision.passedOver[0]?.named, true, program);
  }
});

test("if nothing can be used, all reasons are told", async () => {
  const { decision } = await decide({}, { candidates: [venv, system], interpreters: { "/venv/python": python({}) } });
  assert.equal(decision.command, undefined);
  assert.deepEqual(
    decision.passedOver.map((each) => each.why.slice(0, 16)),
    ["is Python 3.12.1", "does not exist"],
  );
});

test("launches are the same if the same would be started", () => {
  const launch: Launch = { command: "a", args: ["b"], description: "x", origin: "y", passedOver: [] };
  assert.ok(isSameLaunch(launch, { ...launch, description: "other words" }));
  assert.ok(!isSameLaunch(launch, { ...launch, args: [] }));
  assert.ok(!isSameLaunch(launch, undefined));
});
