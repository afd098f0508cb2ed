// The page of a trace in a real browser: it opens at the trouble, jumps, folds, links and copies. Nothing here waits for a clock.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { poorContrasts } from "./contrast.mjs";

const DDL_LINT = path.resolve(import.meta.dirname, "../../.venv/bin/ddl-lint");
const LONG_MS = 300_000; // How long a busy machine may take; no test waits for it to pass.

const steps = (from, to) => Array.from({ length: to - from }, (_, index) => `    dist.all_reduce(x)  # step ${from + index}\n    dist.barrier()\n    dist.broadcast(x, ${from + index})`).join("\n");
const SCRIPT = `import torch
import torch.distributed as dist


def late(x):
    for _ in range(3):
        if dist.get_rank() == 0:
            dist.all_gather_object([], "</textarea><script>document.title = 'hostile'</script>")


def main(x):
    dist.init_process_group("nccl")
${steps(0, 40)}
    if dist.get_rank() == 0:
        dist.reduce(x, 0)
${steps(40, 80)}
    late(x)
${steps(80, 120)}


main(torch.ones(1))
`;

let folder, server, browser, address, page_text;

before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "ddl-lint-trace-"));
  writeFileSync(path.join(folder, "train.py"), SCRIPT);
  execFileSync(DDL_LINT, ["trace", "train.py", "--format", "html", "--output-file", "trace.html"], { cwd: folder });
  page_text = readFileSync(path.join(folder, "trace.html"), "utf8");
  server = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(page_text);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve)); // the clipboard is closed to pages of files
  address = `http://127.0.0.1:${server.address().port}`;
  const executablePath = execFileSync("sh", ["-c", 'command -v "$0"', process.env.CHROMIUM ?? "chromium"]).toString().trim();
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(options = {}, hash = "") {
  const context = await browser.newContext({ viewport: { width: 900, height: 700 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(LONG_MS);
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("request", (request) => !request.url().startsWith(address) && !/^(data|blob):/.test(request.url()) && wrong.push(request.url()));
  await page.goto(`${address}/${hash}`);
  return { page, context, wrong };
}

const inView = (locator) =>
  locator.evaluate((element) => {
    const place = element.getBoundingClientRect();
    return place.top >= 0 && place.top < innerHeight;
  });

test("the page opens at the first trouble, and folds the rest", async () => {
  const { page, wrong } = await open();
  assert.ok(await inView(page.locator("#trouble-1")));
  assert.ok(await page.locator("#trouble-2 .message").first().isVisible()); // in an open block
  const folded = page.locator(".more > details:not([open])");
  assert.ok((await folded.count()) >= 2);
  const step = folded.first().locator(".step").first();
  assert.ok(!(await step.isVisible()));
  await folded.first().locator("> summary").click();
  assert.ok(await page.locator(".more > details[open] .step").first().isVisible());
  assert.equal(await page.title(), "Rank trace of train.py");
  assert.deepEqual(wrong, []);
});

test("keys and buttons jump from trouble to trouble, round and round", async () => {
  const { page } = await open();
  const current = () => page.evaluate(() => document.activeElement.id);
  await page.keyboard.press("n");
  assert.equal(await current(), "trouble-1");
  await page.keyboard.press("n");
  assert.equal(await current(), "trouble-2");
  assert.ok(await inView(page.locator("#trouble-2")));
  assert.equal(await page.locator("#position").textContent(), "2 of 2");
  await page.keyboard.press("n");
  assert.equal(await current(), "trouble-1");
  await page.keyboard.press("p");
  assert.equal(await current(), "trouble-2");
  await page.getByRole("button", { name: "Next problem" }).click();
  assert.equal(await current(), "trouble-1");
  await page.keyboard.press("Control+p");
  assert.equal(await current(), "trouble-1"); // that key is the browser's
});

test("a jump opens the blocks around a trouble that the reader has closed", async () => {
  const { page } = await open();
  await page.locator(".steps > .block > details > summary").first().click();
  assert.ok(!(await page.locator("#trouble-1").isVisible()));
  await page.keyboard.press("n");
  assert.ok(await page.locator("#trouble-1").isVisible());
});

test("all can be unfolded, and folded again", async () => {
  const { page } = await open();
  const closed = page.locator(".steps details:not([open])");
  const before = await closed.count();
  const button = page.getByRole("button", { name: "Unfold all" });
  await button.click();
  assert.equal(await closed.count(), 0);
  assert.equal(await button.getAttribute("aria-pressed"), "true");
  await button.click();
  assert.equal(await closed.count(), before);
});

test("a place leads to its source line, with the keyboard too", async () => {
  const { page } = await open();
  const place = page.locator("#trouble-1 .place").first();
  await place.focus();
  await page.keyboard.press("Enter");
  const line = page.locator(".sources span:target");
  await line.waitFor();
  assert.match(await line.textContent(), /dist\.reduce\(x, 0\)/);
});

test("it is copied as Mermaid and SVG", async () => {
  const { page } = await open({ permissions: ["clipboard-read", "clipboard-write"] });
  const copied = async (name) => {
    await page.getByRole("button", { name, exact: true }).click();
    await page.locator("#copied", { hasText: `Copied as ${name}` }).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.match(await copied("Mermaid"), /^sequenceDiagram\n/);
  const svg = await copied("SVG");
  assert.match(svg, /^<svg [^]*<\/svg>\s*$/);
  const root = await page.evaluate((text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement.localName, svg);
  assert.equal(root, "svg");
});

test("it is copied as PNG, in the colours of the page", async () => {
  for (const [colorScheme, dark] of [["light", false], ["dark", true]]) {
    const { page, wrong } = await open({ colorScheme, permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: "PNG" }).click();
    await page.locator("#copied", { hasText: "Copied as PNG" }).waitFor();
    const { width, brightness } = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const image = await createImageBitmap(await item.getType("image/png"));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return { width: image.width, brightness: context.getImageData(3, 3, 1, 1).data[0] };
    });
    assert.ok(width > 1000, `${width} pixels`);
    assert.equal(brightness < 128, dark);
    assert.deepEqual(wrong, []);
  }
});

test("where the clipboard is closed, the picture becomes a file", async () => {
  const { page } = await open();
  await page.evaluate(() => {
    navigator.clipboard.write = () => Promise.reject(new Error("closed"));
  });
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "PNG" }).click();
  const file = await (await download).path();
  assert.equal(readFileSync(file).subarray(1, 4).toString(), "PNG");
  await page.locator("#copied", { hasText: "Saved as PNG" }).waitFor();
});

test("it fits a phone and a split editor", async () => {
  for (const width of [360, 600, 1200]) {
    const { page } = await open({ viewport: { width, height: 800 } });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${width}`);
    const ranks = page.locator("#trouble-1 .who", { hasText: "the other ranks" });
    assert.equal((await ranks.boundingBox()).width > 20, width === 360); // beside each place, where there are no columns
  }
});

test("without a script all is there: jumps are links, and blocks fold", async () => {
  const { page } = await open({ javaScriptEnabled: false });
  assert.ok(!(await page.locator("#tools").isVisible()));
  await page.locator(".troubles a").last().click();
  assert.ok(await page.locator("#trouble-2").isVisible());
});

test("on paper all is unfolded, and the tools are gone", async () => {
  const { page } = await open();
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator(".steps details:not([open])").count(), 0);
  assert.ok(!(await page.locator("#tools").isVisible()));
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.ok((await page.locator(".steps details:not([open])").count()) > 0);
});

test("an editor is told which place to open", async () => {
  const context = await browser.newContext();
  await context.addInitScript(() => {
    window.told = [];
    window.acquireVsCodeApi = () => ({ postMessage: (message) => window.told.push(message) });
  });
  const page = await context.newPage();
  await page.goto(address);
  await page.locator("#trouble-1 .place").first().click();
  const [{ type, file, line }] = await page.evaluate(() => window.told);
  assert.deepEqual([type, file, typeof line], ["open", "train.py", "number"]);
  assert.equal(new URL(page.url()).hash, "");
});

test("all text can be read, in light and dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page } = await open({ colorScheme });
    assert.deepEqual(await page.evaluate(poorContrasts), [], colorScheme);
  }
});
