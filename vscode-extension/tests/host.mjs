// Runs the suites of tests/suite inside the extension host of a real VS Code, each in a window of its own.
//
// Usage: scripts/with-editor.sh node tests/host.mjs [SUITE ...]
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { withEditor } from "./editor.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const LIMIT = 240_000; // milliseconds for a suite
const fake = { "ddl-lint.path": path.join(root, "tests/fake/ddl-lint") };
const python = process.env.DDL_LINT_PYTHON ?? path.join(root, "..", ".venv", "bin", "python");

/** Each suite with its workspace, and what the user has set before the window opens. */
const SUITES = {
  client: {
    workspace: "training",
    settings: fake,
  },
  quiet: { workspace: "plain", settings: fake },
  untrusted: {
    workspace: "untrusted",
    settings: { "security.workspace.trust.enabled": true },
    trusted: false,
  },
  findings: { workspace: "wells", settings: { "ddl-lint.interpreter": python } },
  launching: { workspace: "tides", settings: { "ddl-lint.interpreter": python } },
  folders: { workspace: "folders", file: "coasts.code-workspace", settings: { "ddl-lint.interpreter": python } },
};

async function run(name, suite) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `ddl-lint-${name}-`));
  fs.cpSync(path.join(root, "tests/workspaces", suite.workspace), folder, { recursive: true });
  const flags = ["--vscode-option", "enable-smoke-test-driver"];
  if (suite.trusted !== false) {
    flags.push("--disable-workspace-trust");
  }
  const results = path.join(root, "out", `${name}.txt`);
  fs.rmSync(results, { force: true });
  const environment = { DDL_LINT_TEST_PYTHON: python, DDL_LINT_TEST_RESULTS: results };
  const wishes = { settings: suite.settings, flags, environment };
  try {
    await withEditor(wishes, async ({ page, address, data }) => {
      let done;
      const code = new Promise((resolve) => (done = resolve));
      await page.exposeFunction("codeAutomationLog", () => {});
      await page.exposeFunction("codeAutomationExit", done);
      const remote = (file) => `vscode-remote://${address}${file}`;
      const payload = JSON.stringify([
        ["extensionDevelopmentPath", remote(root)],
        ["extensionTestsPath", remote(path.join(root, "out/suite", `${name}.js`))],
        ["skipWelcome", "true"],
      ]);
      const opened = suite.file ? { workspace: path.join(folder, suite.file) } : { folder };
      const query = new URLSearchParams({ ...opened, payload });
      await page.goto(`http://${address}/?${query.toString().replaceAll("+", "%20")}`);
      const timer = setTimeout(() => done("no result within the time limit"), LIMIT);
      const result = await code;
      clearTimeout(timer);
      console.log(fs.existsSync(results) ? fs.readFileSync(results, "utf8").trimEnd() : "no test was run");
      if (result !== 0) {
        const artefacts = path.join(root, "artefacts", name);
        fs.mkdirSync(artefacts, { recursive: true });
        await page.screenshot({ path: path.join(artefacts, "failed.png") });
        fs.cpSync(path.join(data, "logs"), path.join(artefacts, "logs"), { recursive: true });
        throw new Error(`suite ${name}: ${result} (${artefacts} has a picture and the logs)`);
      }
    });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (!(name in SUITES)) {
    throw new Error(`there is no suite ${name}; there are ${Object.keys(SUITES).join(", ")}`);
  }
}
let failed = false;
for (const [name, suite] of Object.entries(SUITES)) {
  if (wanted.length === 0 || wanted.includes(name)) {
    console.log(`\n== ${name}`);
    try {
      await run(name, suite);
    } catch (error) {
      failed = true;
      console.error(error instanceof Error ? error.message : error);
    }
  }
}
process.exitCode = failed ? 1 : 0;
