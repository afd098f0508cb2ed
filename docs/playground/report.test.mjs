// The page of `ddl-lint report` in a real browser: as a file on disk, as the attachment of a mail is. No clock is waited for.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { poorContrasts } from "./contrast.mjs";

const DDL_LINT = path.resolve(import.meta.dirname, "../../.venv/bin/ddl-lint");
const LONG_MS = 300_000; // How long a busy machine may take; no test waits for it to pass.

const SCRIPT = `import torch
import torch.distributed as dist


def late(x):
    if dist.get_rank() == 0:
        dist.all_gather_object([], "</code><script>document.title = 'hostile'</script><img src=x onerror=alert(1)>")


def main(x):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        dist.reduce(x, 0)
    late(x)
${Array.from({ length: 30 }, (_, index) => `    dist.broadcast(x, ${index})\n    dist.barrier()`).join("\n")}


main(torch.ones(1))
`;
const LAUNCH = "#!/bin/bash\ntorchrun --standalone --nproc_per_node=8 train.py\ntorchrun --nproc_per_node=$GPUS train.py\n";

let folder, browser, address;

before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "ddl-lint-report-"));
  writeFileSync(path.join(folder, "train.py"), SCRIPT);
  writeFileSync(path.join(folder, "run.sh"), LAUNCH);
  writeFileSync(path.join(folder, "<img src=x onerror=alert(1)>.py"), SCRIPT);
  execFileSync(DDL_LINT, ["report", "-o", "page.html"], { cwd: folder });
  address = pathToFileURL(path.join(folder, "page.html")).href;
  const executablePath = execFileSync("sh", ["-c", 'command -v "$0"', process.env.CHROMIUM ?? "chromium"]).toString().trim();
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(options = {}) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(LONG_MS);
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("request", (request) => request.url() !== address && wrong.push(request.url()));
  page.on("dialog", (dialog) => wrong.push(dialog.message()));
  await page.goto(address);
  return { page, wrong };
}

test("nothing is loaded and nothing of the checked files runs", async () => {
  const { page, wrong } = await open();
  assert.match(await page.title(), /^ddl-lint report: /);
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.match(await page.locator(".verdict").textContent(), /Found \d+ hangs/);
  assert.deepEqual(wrong, []);
});

test("keys jump from finding to finding, and the focus can be seen", async () => {
  const { page } = await open();
  const current = () => page.evaluate(() => document.activeElement.id);
  await page.keyboard.press("n");
  assert.equal(await current(), "finding-1");
  const outline = await page.locator("#finding-1").evaluate((element) => getComputedStyle(element).outlineStyle);
  assert.equal(outline, "solid");
  await page.keyboard.press("n");
  assert.equal(await current(), "finding-2");
  await page.keyboard.press("p");
  await page.keyboard.press("p");
  const count = await page.locator("[data-finding]").count();
  assert.equal(await current(), `finding-${count}`);
  assert.equal(await page.locator("#position").textContent(), `${count} of ${count}`);
});

test("a place leads to its source line, in a block that opens", async () => {
  const { page } = await open();
  await page.locator(".finding .where a").first().click();
  const line = page.locator(".sources span:target");
  await line.waitFor({ state: "visible" });
  assert.match(await line.textContent(), /dist\./);
});

test("all can be unfolded, and folded again", async () => {
  const { page } = await open();
  const closed = page.locator("details:not([open])");
  const before = await closed.count();
  assert.ok(before > 0);
  await page.getByRole("button", { name: "Unfold all" }).click();
  assert.equal(await closed.count(), 0);
  await page.getByRole("button", { name: "Unfold all" }).click();
  assert.equal(await closed.count(), before);
});

test("without its script all can be read, and blocks fold", async () => {
  const { page } = await open({ javaScriptEnabled: false });
  assert.ok(!(await page.locator("#tools").isVisible()));
  assert.ok(await page.locator("[data-finding] h3").last().isVisible());
  assert.ok(await page.locator(".trace .trouble").first().isVisible());
  const folded = page.locator(".more > details").first();
  await folded.locator("> summary").click();
  assert.ok(await folded.locator(".step").first().isVisible());
});

test("it fits a phone, a mail window and a screen", async () => {
  for (const width of [360, 700, 1400]) {
    const { page } = await open({ viewport: { width, height: 800 } });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${width}`);
  }
});

test("on paper all is unfolded, with and without the script", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await open({ javaScriptEnabled });
    await page.emulateMedia({ media: "print" });
    const step = page.locator(".more > details .step").first();
    assert.ok((await step.boundingBox()).height > 0);
    assert.ok(!(await page.locator("#tools").isVisible()));
  }
});

test("all text can be read, in light and dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page } = await open({ colorScheme });
    assert.deepEqual(await page.evaluate(poorContrasts), [], colorScheme);
  }
});

test("findings are filtered by severity, and jumps skip what is not shown", async () => {
  const { page } = await open();
  const findings = page.locator("[data-finding]:visible");
  const all = await findings.count();
  const severities = await page.locator("#by-severity option").allTextContents();
  if (severities.length > 1) {
    await page.locator("#by-severity").selectOption("error");
    assert.ok((await findings.count()) < all);
    for (const finding of await findings.all()) {
      assert.equal(await finding.getAttribute("data-severity"), "error");
    }
    assert.match(await page.locator("#position").textContent(), /^\d+ of \d+ shown$/);
  }
  await page.keyboard.press("n");
  assert.match(await page.locator("#position").textContent(), /^1 of \d+$/);
});
