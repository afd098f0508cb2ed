// The packaged extension in a real VS Code, used as a person does: by keys, mouse and what is to be seen.
//
// Usage: scripts/with-editor.sh node tests/journey/journey.mjs [--keep-pictures]
// The pictures are left in artefacts/journey; --keep-pictures copies those of the README to media/screenshots.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { withEditor } from "../editor.mjs";

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const artefacts = path.join(root, "artefacts", "journey");
const OF_THE_README = ["hover", "problems", "quick-fix", "trace", "notebook"];
const ATTEMPTS = 6; // to open a list by a key, or a hover by the mouse
const ATTEMPT = 10_000; // milliseconds
const SETTINGS = {
  "ddl-lint.importStrategy": "useBundled",
  "workbench.colorTheme": "Default Dark Modern",
  // Nothing in the pictures that draws the eye away from ours.
  "editor.occurrencesHighlight": "off",
  "editor.matchBrackets": "never",
};

const version = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")).version;
const vsix = path.join(root, `ddl-lint-linux-x64-${version}.vsix`);
assert.ok(fs.existsSync(vsix), `${vsix} is missing: run npm run package first`);

fs.rmSync(artefacts, { recursive: true, force: true });
fs.mkdirSync(artefacts, { recursive: true });
try {
  await journey("trusted", ["--disable-workspace-trust"], SETTINGS, trustedFolder);
  await journey("restricted", [], { ...SETTINGS, "security.workspace.trust.enabled": true }, restrictedFolder);
} catch (error) {
  console.error(`FAIL ${error.stack.split("\n").slice(0, 12).join("\n")}\n${artefacts} has a picture and the logs`);
  process.exit(1);
}
if (process.argv.includes("--keep-pictures")) {
  fs.mkdirSync(path.join(root, "media/screenshots"), { recursive: true });
  for (const name of OF_THE_README) {
    fs.copyFileSync(path.join(artefacts, `${name}.png`), path.join(root, "media/screenshots", `${name}.png`));
  }
}

async function journey(name, flags, settings, steps) {
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), "ddl-lint-journey-"));
  const folder = path.join(parent, "wells");
  fs.cpSync(path.join(root, "tests/workspaces/wells"), folder, { recursive: true });
  const started = performance.now();
  const done = (step) => console.log(`ok   ${step} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  console.log(`\n== ${name}`);
  try {
    await withEditor({ vsix, settings, flags }, async ({ page, address, data }) => {
      try {
        await page.goto(`http://${address}/?folder=${encodeURIComponent(folder)}`);
        await page.locator(".monaco-workbench").waitFor();
        await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "train.py" }).waitFor();
        done("the window opens");
        await steps({ page, folder, done });
      } catch (error) {
        await page.screenshot({ path: path.join(artefacts, `${name}-failed.png`) });
        fs.cpSync(path.join(data, "logs"), path.join(artefacts, `${name}-logs`), { recursive: true });
        throw error;
      }
    });
  } finally {
    fs.rmSync(parent, { recursive: true, force: true });
  }
}

async function trustedFolder({ page, folder, done }) {
  await openFile(page, "evaluation.py");
  await page.locator(".squiggly-error").first().waitFor();
  done("a finding is underlined");

  await hoverFinding(page, ".squiggly-error", "DDL506");
  await picture(page, "hover");
  done("its hover explains it");

  await page.keyboard.press("Escape");
  await page.mouse.move(640, 780);
  await openFile(page, "checkpoint.py");
  await page.locator(".squiggly-warning").first().waitFor();
  await page.keyboard.press("Control+Shift+M");
  const rows = page.locator(".markers-panel .monaco-list-row");
  await rows.filter({ hasText: "Crash: saves the" }).first().waitFor();
  await rows.filter({ hasText: "the model is wrapped here" }).first().waitFor();
  await picture(page, "problems");
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
  await picture(page, "quick-fix");
  done("the unsafe fix says why it is unsafe");

  await page.keyboard.press("Enter");
  await page.locator(".monaco-editor .view-line", { hasText: "model.module.state_dict()" }).waitFor();
  await page.locator(".squiggly-warning").first().waitFor({ state: "detached" });
  await page.keyboard.press("Control+S");
  await saved(path.join(folder, "checkpoint.py"), "model.module.state_dict()");
  done("the fix is applied and saved");

  await openFile(page, "train.py");
  await page.locator(".squiggly-warning").first().waitFor();
  await runCommand(page, "ddl-lint: Apply All Safe Fixes");
  await page.locator(".monaco-editor .view-line", { hasText: "sampler.set_epoch(epoch)" }).waitFor();
  await page.keyboard.press("Control+S");
  await saved(path.join(folder, "train.py"), "sampler.set_epoch(epoch)");
  done("all safe fixes are applied");

  await runCommand(page, "ddl-lint: Show rank trace");
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
  await picture(page, "trace");
  done("the trace is drawn");
  await runCommand(page, "View: Close All Editors");
  await page.locator(".tabs-container .tab").first().waitFor({ state: "detached" });

  await openFile(page, "notebook.ipynb");
  await page.locator(".notebookOverlay .squiggly-warning").first().waitFor();
  await hoverFinding(page, ".notebookOverlay .squiggly-warning", "DDL402");
  await picture(page, "notebook");
  done("a notebook is checked");
  await page.mouse.move(640, 780);
  await page.locator(".monaco-hover-content", { hasText: "DDL402" }).first().waitFor({ state: "hidden" });

  await openFile(page, "train.py");
  await page.locator("#status\\.languageStatus").first().click();
  await page.locator(".hover-language-status", { hasText: "bundled, on Python 3" }).waitFor();
  await picture(page, "status");
  done("the language status tells which ddl-lint runs");
  await page.keyboard.press("Escape");

  await runCommand(page, "ddl-lint: Show Log");
  await page.locator(".output-view-content, .panel .view-line", { hasText: "The server runs" }).first().waitFor();
  done("the log tells what was done");
  await page.keyboard.press("Control+J");

  await runCommand(page, "Welcome: Open Walkthrough...");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Get started with ddl-lint" }).click();
  await page.locator(".gettingStartedContainer", { hasText: "See what is wrong, and the proof" }).waitFor();
  const story = page.frameLocator(".gettingStartedContainer iframe.webview.ready").frameLocator("iframe#active-frame");
  await story.getByText("A finding tells its story").waitFor();
  await picture(page, "walkthrough");
  done("the walkthrough is there");
  assert.equal(await page.locator(".notification-toast", { hasText: "ddl-lint" }).count(), 0, "no pop-up");
}

async function restrictedFolder({ page, done }) {
  await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor();
  await openFile(page, "evaluation.py");
  await page.locator(".squiggly-error").first().waitFor();
  await page.locator("#status\\.languageStatus").first().click();
  await page.locator(".hover-language-status", { hasText: "(restricted mode)" }).waitFor();
  await picture(page, "restricted");
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

async function picture(page, name) {
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
