// The packaged extension in a real VS Code, used as a person does: by keys, mouse and what is to be seen.
//
// Usage: scripts/with-editor.sh node tests/journey/journey.mjs [large] [small] [contrast] [JOURNEY ...] [OPTION ...]
// The pictures are left in artefacts/journey; --keep-pictures copies those of the README to media/screenshots.
// --unpackaged takes the built extension and the ddl-lint of ../.venv as they are, for a look at what is being changed.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { withEditor } from "../editor.mjs";

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const artefacts = path.join(root, "artefacts", "journey");
const OF_THE_README = ["hover", "problems", "quick-fix", "trace", "rule", "notebook", "launch", "diagnosis"];
const ATTEMPTS = 6; // to open a list by a key, or a hover by the mouse
const ATTEMPT = 10_000; // milliseconds
const SETTINGS = {
  "ddl-lint.importStrategy": "useBundled",
  // Nothing in the pictures that draws the eye away from ours.
  "editor.occurrencesHighlight": "off",
  "editor.matchBrackets": "never",
};

const WRONG_INTERPRETER = { ...SETTINGS, "ddl-lint.interpreter": "/opt/python-3.8/bin/python" };

/** The windows in which each step is looked at. The pictures of the README are those of the first. */
const WINDOWS = [
  { window: "large", name: "", theme: "Default Dark Modern", viewport: { width: 1280, height: 800 } },
  { window: "small", name: "-small", theme: "Default Light Modern", viewport: { width: 1000, height: 640 } },
];
const CONTRAST = { name: "-contrast", theme: "Default High Contrast", viewport: { width: 1280, height: 800 } };
const isUnpackaged = process.argv.includes("--unpackaged");
const python = process.env.DDL_LINT_PYTHON ?? path.join(root, "..", ".venv", "bin", "python");
const OF_THIS_CHECKOUT = {
  "window.title": "${activeEditorShort} - ${rootName}",
  "ddl-lint.importStrategy": "fromEnvironment",
  "ddl-lint.interpreter": python,
};

const version = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")).version;
const vsix = path.join(root, `ddl-lint-linux-x64-${version}.vsix`);
assert.ok(isUnpackaged || fs.existsSync(vsix), `${vsix} is missing: run npm run package first`);

fs.rmSync(artefacts, { recursive: true, force: true });
fs.mkdirSync(artefacts, { recursive: true });
try {
  const TRUSTED = ["--disable-workspace-trust"];
  const named = ["large", "small", "contrast"].some((window) => process.argv.includes(window));
  const asked = WINDOWS.filter(({ window }) => !named || process.argv.includes(window));
  for (const look of asked) {
    await journey("trusted", TRUSTED, SETTINGS, trustedFolder, look);
    await journey("launching", TRUSTED, SETTINGS, launching, look, "tides");
    await journey("wrong", TRUSTED, WRONG_INTERPRETER, wrongInterpreter, look);
    await journey("restricted", [], { ...SETTINGS, "security.workspace.trust.enabled": true }, restrictedFolder, look);
  }
  if (asked.length === WINDOWS.length || process.argv.includes("contrast")) {
    await journey("launching", TRUSTED, SETTINGS, launching, CONTRAST, "tides");
  }
} catch (error) {
  console.error(`FAIL ${error.stack.split("\n").slice(0, 12).join("\n")}\n${artefacts} has a picture and the logs`);
  process.exit(1);
}
if (process.argv.includes("--keep-pictures")) {
  fs.mkdirSync(path.join(root, "media/screenshots"), { recursive: true });
  for (const name of OF_THE_README) {
    const picture = path.join(artefacts, `${name}.png`);
    if (fs.existsSync(picture)) {
      fs.copyFileSync(picture, path.join(root, "media/screenshots", `${name}.png`));
    }
  }
}

async function journey(name, flags, settings, steps, look, workspace = "wells") {
  const wanted = ["trusted", "launching", "wrong", "restricted"].filter((each) => process.argv.includes(each));
  if (wanted.length > 0 && !wanted.includes(name)) {
    return;
  }
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), "ddl-lint-journey-"));
  const folder = path.join(parent, workspace);
  fs.cpSync(path.join(root, "tests/workspaces", workspace), folder, { recursive: true });
  const started = performance.now();
  const done = (step) => console.log(`ok   ${step} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  console.log(`\n== ${name}${look.name}`);
  const wishes = {
    ...(isUnpackaged ? {} : { vsix }),
    settings: { ...settings, ...(isUnpackaged ? OF_THIS_CHECKOUT : {}), "workbench.colorTheme": look.theme },
    flags: isUnpackaged ? [...flags, "--vscode-option", "enable-smoke-test-driver"] : flags,
    viewport: look.viewport,
  };
  try {
    await withEditor(wishes, async ({ page, address, data }) => {
      const picture = (what) => takePicture(page, `${what}${look.name}`);
      const rest = () => page.mouse.move(look.viewport.width / 2, look.viewport.height - 20);
      try {
        const developed = JSON.stringify([["extensionDevelopmentPath", `vscode-remote://${address}${root}`]]);
        const payload = isUnpackaged ? `&payload=${encodeURIComponent(developed)}` : "";
        await page.goto(`http://${address}/?folder=${encodeURIComponent(folder)}${payload}`);
        await page.locator(".monaco-workbench").waitFor();
        await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "train.py" }).waitFor();
        done("the window opens");
        await steps({ page, folder, done, picture, rest });
      } catch (error) {
        await page.screenshot({ path: path.join(artefacts, `${name}${look.name}-failed.png`) });
        fs.cpSync(path.join(data, "logs"), path.join(artefacts, `${name}${look.name}-logs`), { recursive: true });
        throw error;
      }
    });
  } finally {
    fs.rmSync(parent, { recursive: true, force: true });
  }
}

async function trustedFolder({ page, folder, done, picture, rest }) {
  await openFile(page, "evaluation.py");
  await page.locator(".squiggly-error").first().waitFor();
  done("a finding is underlined");

  await hoverFinding(page, ".squiggly-error", "DDL506");
  await picture("hover");
  done("its hover explains it");

  await page.locator(".monaco-hover-content a", { hasText: "DDL506" }).first().click();
  const tab = page.locator(".tabs-container .tab", { hasText: "DDL506 early-exit-before-collective" });
  await tab.waitFor();
  const rule = page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  await rule.getByRole("heading", { name: "What to do" }).waitFor();
  assert.equal(await rule.locator("script").count(), 0);
  await rest();
  await picture("rule");
  done("its code opens the page of the rule");
  await runCommand(page, "View: Close All Editors");
  await page.locator(".tabs-container .tab").first().waitFor({ state: "detached" });

  await openFile(page, "checkpoint.py");
  await page.locator(".squiggly-warning").first().waitFor();
  await page.keyboard.press("Control+Shift+M");
  const rows = page.locator(".markers-panel .monaco-list-row");
  await rows.filter({ hasText: "Crash: saves the" }).first().waitFor();
  await rows.filter({ hasText: "the model is wrapped here" }).first().waitFor();
  await picture("problems");
  done("the Problems panel shows the evidence, which lies in another file");
  await page.keyboard.press("Control+J");

  const place = await placeOf(page, ".squiggly-warning");
  await page.mouse.click(place.x, place.y);
  await page.keyboard.press("Control+.");
  const menu = page.locator(".action-widget .monaco-list-row");
  await menu
    .filter({ hasText: /\(unsafe: / })
    .first()
    .waitFor();
  await picture("quick-fix");
  done("the unsafe fix says why it is unsafe");

  await page.keyboard.press("Enter");
  await page.locator(".monaco-editor .view-line", { hasText: "model.module.state_dict()" }).waitFor();
  await page.locator(".squiggly-warning").first().waitFor({ state: "detached" });
  await page.keyboard.press("Control+S");
  await saved(path.join(folder, "checkpoint.py"), "model.module.state_dict()");
  done("the fix is applied and saved");

  await openFile(page, "train.py");
  await page.locator(".squiggly-warning").first().waitFor();
  await runCommand(page, "ddl-lint: Fix All Auto-Fixable Problems");
  await page.locator(".monaco-editor .view-line", { hasText: "sampler.set_epoch(epoch)" }).waitFor();
  await page.keyboard.press("Control+S");
  await saved(path.join(folder, "train.py"), "sampler.set_epoch(epoch)");
  done("all safe fixes are applied");

  await runCommand(page, "ddl-lint: Show Rank Trace");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "The whole file" }).waitFor();
  await page.keyboard.press("Enter");
  const frame = page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  await frame.locator("svg.mark").first().waitFor();
  await frame.getByText("all_reduce").first().waitFor();
  const policy = await frame.locator("meta[http-equiv=Content-Security-Policy]").first().getAttribute("content");
  assert.match(
    policy,
    /^default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; script-src 'sha256-[^' ]+'$/,
  );
  await frame.getByRole("button", { name: "Unfold all" }).click(); // the script of the page runs
  await page.keyboard.press("Control+B"); // room for the picture
  await page.locator(".sidebar").waitFor({ state: "hidden" });
  await picture("trace");
  done("the trace is drawn");
  await runCommand(page, "View: Close All Editors");
  await page.locator(".tabs-container .tab").first().waitFor({ state: "detached" });

  await openFile(page, "notebook.ipynb");
  // The editor asks for the findings of cells that are in view.
  const warning = page.locator(".notebookOverlay .squiggly-warning").first();
  await page.locator(".notebookOverlay .view-line", { hasText: "import torch" }).first().waitFor();
  const { width, height } = page.viewportSize();
  const isInView = async () => {
    const box = (await warning.count()) > 0 ? await warning.boundingBox() : null;
    return box !== null && box.y + box.height < height * 0.9;
  };
  for (let attempt = 1; !(await isInView()); attempt++) {
    assert.ok(attempt <= 5 * ATTEMPTS, "a cell has a finding");
    await page.mouse.move(width / 2, height / 2);
    await page.mouse.wheel(0, 150);
    await warning.waitFor({ timeout: ATTEMPT / 5 }).catch(() => undefined);
  }
  await hoverFinding(page, ".notebookOverlay .squiggly-warning", "DDL402");
  await picture("notebook");
  done("a notebook is checked");
  await rest();
  await page.locator(".monaco-hover-content", { hasText: "DDL402" }).first().waitFor({ state: "hidden" });

  await openFile(page, "train.py");
  await page.locator("#status\\.languageStatus").first().click();
  await page.locator(".hover-language-status", { hasText: "bundled, on Python 3" }).waitFor();
  await picture("status");
  done("the language status tells which ddl-lint runs");
  await page.keyboard.press("Escape");

  await runCommand(page, "ddl-lint: Show Log");
  await page.locator(".output-view-content, .panel .view-line", { hasText: "The server runs" }).first().waitFor();
  done("the log tells what was done");
  await page.keyboard.press("Control+J");

  await runCommand(page, "Welcome: Open Walkthrough...");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Get started with ddl-lint" }).click();
  await page.locator(".gettingStartedContainer", { hasText: "Read a finding and its proof" }).waitFor();
  const story = page.frameLocator(".gettingStartedContainer iframe.webview.ready").frameLocator("iframe#active-frame");
  await story.getByText("A finding tells its story").waitFor({ state: "attached" }); // a narrow window has no room for it
  await story
    .locator("img")
    .first()
    .evaluate((image) => image.decode()); // fails for one that cannot be loaded
  await picture("walkthrough");
  done("the walkthrough is there");

  await runCommand(page, "Extensions: Show Installed Extensions");
  await page.locator(".extensions-list .monaco-list-row", { hasText: "ddl-lint" }).first().click();
  const readme = await frameWith(page, "h2", "What you get");
  // The view takes the address from those that it does not load.
  const addresses = await readme
    .locator("img")
    .evaluateAll((images) => images.map((image) => image.getAttribute("src")));
  assert.ok(
    addresses.every((address) => address?.startsWith("https://")),
    `pictures: ${addresses}`,
  );
  await picture("extension");
  done("the Extensions view shows the README, without broken pictures");
  assert.equal(await page.locator(".notification-toast", { hasText: "ddl-lint" }).count(), 0, "no pop-up");
}

async function launching({ page, folder, done, picture, rest }) {
  await openFile(page, "train.sbatch");
  await page.locator(".squiggly-error").first().waitFor();
  await page.locator(".codelens-decoration", { hasText: "32 ranks: 4 x 8, train.py" }).waitFor();
  await page.locator(".pane-header", { hasText: "Training Jobs" }).click();
  const job = page.locator(".pane-body .monaco-list-row", { hasText: "32 ranks: 4 x 8" });
  await job.waitFor();
  await job.locator(".monaco-tl-twistie").click();
  await page.locator(".pane-body .monaco-list-row", { hasText: "srun > torchrun" }).waitFor();
  await hoverFinding(page, ".squiggly-error", "DDL602");
  await picture("launch-hover");
  done("a batch script is checked, says how many ranks it starts, and is in the view of jobs");

  await openMenu(page, ".squiggly-error", "Write `--max_restarts`");
  await page.locator(".action-widget .monaco-list-row", { hasText: "in this project" }).waitFor();
  await picture("launch");
  await page.keyboard.press("Enter");
  await page.locator(".squiggly-error").first().waitFor({ state: "detached" });
  await page.keyboard.press("Control+S");
  await saved(path.join(folder, "train.sbatch"), "--max_restarts 3");
  done("its fix is applied, and the squiggle goes with it");

  await openFile(page, "forever.py");
  await openMenu(page, ".squiggly-warning, .squiggly-error", "No fix: the epoch loop does not count its iterations");
  await picture("no-fix");
  await page.keyboard.press("Escape");
  await openFile(page, "train.sbatch");
  done("the menu says why there is no fix");

  await rest();
  await page.locator(".codelens-decoration a", { hasText: "32 ranks" }).click();
  const jobs = page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  const marked = jobs.locator("section", { has: jobs.locator("[aria-current]") });
  await marked.waitFor();
  await rest();
  await picture("jobs");
  await marked.getByRole("button", { name: "Show ranks" }).click();
  await page.locator(".tabs-container .tab", { hasText: "Trace: train.py" }).waitFor();
  await frameWith(page, ".verdict", "Hang");
  await picture("jobs-trace");
  done("the table of jobs leads to the trace");
  await runCommand(page, "View: Close All Editors");
  await page.locator(".tabs-container .tab").first().waitFor({ state: "detached" });

  await openFile(page, "tides-4711.out");
  await page.keyboard.press("Control+B"); // room for the picture
  await runCommand(page, "ddl-lint: Diagnose Log");
  await page.locator(".tabs-container .tab", { hasText: "Diagnosis: tides-4711.out" }).waitFor();
  const answer = await frameWith(page, "h2", "Where the ranks part");
  await rest();
  await picture("diagnosis");
  await answer.locator("h2 .opens").first().click();
  await page.locator(`.tabs-container .tab.active[data-resource-name="train.py"]`).waitFor();
  done("a log leads to the line");

  await runCommand(page, "Welcome: Open Walkthrough...");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Get started with ddl-lint" }).click();
  await page.locator(".gettingStartedContainer", { hasText: "Check what starts the job" }).waitFor();
  await page.locator(".gettingStartedContainer", { hasText: "Check what starts the job" }).first().click();
  await picture("walkthrough-launch");
  done("the walkthrough tells of it");
}

async function wrongInterpreter({ page, done, picture }) {
  await openFile(page, "evaluation.py");
  await page.locator(".squiggly-error").first().waitFor();
  const warning = page.locator(".statusbar-item", { hasText: "ddl-lint: wrong interpreter" });
  await warning.waitFor();
  const tooltip = page.locator(".monaco-hover", { hasText: "/opt/python-3.8/bin/python" }).first();
  for (let attempt = 1; !(await tooltip.isVisible()); attempt++) {
    assert.ok(attempt <= ATTEMPTS, "the tooltip says which interpreter is wrong");
    await page.mouse.move(10, 10);
    await warning.hover();
    await tooltip.waitFor({ timeout: ATTEMPT }).catch(() => undefined);
  }
  await tooltip.getByText("Set ddl-lint.interpreter to a Python 3.10 or newer").waitFor();
  await picture("wrong-interpreter");
  done("the status bar says which interpreter is wrong, why, and what to do");
  await page.keyboard.press("Escape");
  await page.mouse.move(10, 10);
  await page.locator("#status\\.languageStatus").first().click();
  await page.locator(".hover-language-status", { hasText: "wrong interpreter" }).waitFor();
  await picture("wrong-interpreter-language-status");
  done("so does the language status");
}

async function restrictedFolder({ page, done, picture }) {
  await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor();
  await openFile(page, "evaluation.py");
  await page.locator(".squiggly-error").first().waitFor();
  await page.locator("#status\\.languageStatus").first().click();
  await page.locator(".hover-language-status", { hasText: "(restricted mode)" }).waitFor();
  await picture("restricted");
  done("a folder that is not trusted is checked by the bundled server");

  await page.keyboard.press("Escape");
  await runCommand(page, "Workspaces: Manage Workspace Trust");
  await page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ }).click();
  await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor({ state: "detached" });
  await openFile(page, "evaluation.py");
  await page.locator("#status\\.languageStatus").first().click();
  await page.locator(".hover-language-status", { hasText: /bundled, on Python [\d.]+(?! \(restricted)/ }).waitFor();
  await page.locator(".squiggly-error").first().waitFor();
  done("with trust it goes on");
}

async function openFile(page, name) {
  await choose(page, "Control+P", name);
  await page.locator(`.tabs-container .tab.active[data-resource-name="${name}"]`).waitFor();
}

async function runCommand(page, title) {
  await choose(page, "F1", `>${title}`);
}

/**
 * Picks from a list that a key opens: waits for what is chosen, never for a while. A window that is busy with something
 * else (an extension host that starts anew once a folder is trusted) swallows the key, or closes the list: then again.
 */
async function choose(page, key, wanted) {
  const widget = page.locator(".quick-input-widget");
  const row = widget.locator(".monaco-list-row.focused", { hasText: wanted.replace(/^>/, "") });
  for (let attempt = 1; ; attempt++) {
    await page.keyboard.press(key);
    try {
      await widget.locator("input").first().fill(wanted, { timeout: ATTEMPT });
      await row.waitFor({ timeout: ATTEMPT });
      break;
    } catch (error) {
      if (attempt === ATTEMPTS) {
        throw error;
      }
      await page.keyboard.press("Escape");
    }
  }
  await page.keyboard.press("Enter");
  await row.waitFor({ state: "hidden" });
}

/** Opens the menu at an underlined text. A window that is busy may lose the key. */
async function openMenu(page, selector, wanted) {
  const row = page.locator(".action-widget .monaco-list-row", { hasText: wanted }).first();
  for (let attempt = 1; !(await row.isVisible()); attempt++) {
    assert.ok(attempt <= ATTEMPTS, `the menu says ${wanted}`);
    await page.keyboard.press("Escape"); // a hover
    await page.locator(selector).first().waitFor();
    const { x, y } = await placeOf(page, selector);
    await page.mouse.click(x, y);
    await page.keyboard.press("Control+.");
    await row.waitFor({ timeout: ATTEMPT }).catch(() => undefined);
  }
}

/** Rests on an underlined text until its hover shows. Only a move asks for a hover, and a busy window may lose one. */
async function hoverFinding(page, selector, code) {
  const hover = page.locator(".monaco-hover-content", { hasText: code }).first();
  for (let attempt = 1; ; attempt++) {
    const { x, y } = await placeOf(page, selector);
    await page.mouse.move(x + (attempt % 2), y);
    try {
      await hover.waitFor({ timeout: ATTEMPT });
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) {
        throw error;
      }
    }
  }
}

/** A point in an underlined text. The underline itself cannot be clicked: the text lies above it. */
async function placeOf(page, selector) {
  const box = await page.locator(selector).first().boundingBox();
  assert.ok(box);
  return { x: box.x + Math.min(box.width / 2, 40), y: box.y + box.height / 2 };
}

/** The frame of a view that shows a text. Frames of views lie beside the window's own elements, not in them. */
async function frameWith(page, selector, text) {
  for (let attempt = 0; attempt < 600; attempt++) {
    for (const frame of page.frames()) {
      const count = await frame
        .locator(selector, { hasText: text })
        .count()
        .catch(() => 0); // a frame that is just going
      if (count > 0) {
        return frame;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`no view shows ${text}`);
}

async function takePicture(page, name) {
  // Transitions are brought to their end: a picture must not depend on the moment.
  await page.screenshot({ path: path.join(artefacts, `${name}.png`), animations: "disabled" });
}

async function saved(file, text) {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (fs.readFileSync(file, "utf8").includes(text)) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`${path.basename(file)} was not saved with "${text}"`);
}
