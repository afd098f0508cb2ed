// The site in a real browser: the checker runs in the playground, and error messages are found. Nothing here waits for a clock.
import assert from "node:assert/strict";
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const SITE = path.resolve(import.meta.dirname, "../../build/site");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm" };
const LONG_MS = 300_000; // How long a busy machine may take; no test waits for it to pass.

let server, browser, address;

before(async () => {
  server = createServer((request, response) => {
    const file = path.join(SITE, new URL(request.url, "http://site").pathname);
    if (!file.startsWith(SITE) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("content-type", TYPES[path.extname(file)] ?? "application/octet-stream");
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}`;
  const executablePath = execFileSync("sh", ["-c", 'command -v "$0"', process.env.CHROMIUM ?? "chromium"]).toString().trim();
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function open(name, options = {}, prepare = async () => {}) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, ...options });
  page.setDefaultTimeout(LONG_MS);
  const elsewhere = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(blob|data):/.test(request.url())) {
      elsewhere.push(request.url());
    }
  });
  await prepare(page);
  await page.goto(`${address}/${name}`);
  return { page, elsewhere };
}

const status = (page, text) => page.locator("#playground-status", { hasText: text }).waitFor();

async function write(page, script) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(script);
}

test("the example of the playground has a hang, its picture and a fix", async () => {
  const { page, elsewhere } = await open("playground.html");
  await status(page, "3 problems found.");
  const first = page.locator("#playground-findings li").first();
  assert.match(await first.textContent(), /line 13.*early-exit-before-collective.*all_reduce/s);
  assert.equal(await first.getAttribute("class"), "error");
  assert.equal(await first.locator("p code").first().textContent(), "all_reduce");
  await page.waitForFunction(() => document.getElementById("playground-ranks").naturalWidth > 100);
  await first.locator("button.fix").click();
  await status(page, "2 problems found.");
  assert.match(await page.locator("#playground-findings").textContent(), /missing-set-epoch/);
  const link = await page.locator("#playground-findings a").first().getAttribute("href");
  assert.ok(existsSync(path.join(SITE, link)), link);
  assert.deepEqual(elsewhere, []);
});

test("what is typed is checked, what is not Python is told", async () => {
  const { page } = await open("playground.html");
  await status(page, "problems found.");
  await write(page, "import torch.distributed as dist\n\nprint(dist.get_rank())\n");
  await status(page, "1 problem found.");
  assert.match(await page.locator("#playground-findings").textContent(), /missing-init-process-group/);
  await write(page, "def train(:\n    pass\n");
  await status(page, "line 1: invalid syntax");
  await write(page, "print('<img src=x onerror=alert(1)>')\n");
  await status(page, "No problems found.");
});

test("a checker that does not load says what it needs, and the script can still be read", async () => {
  const { page } = await open("playground.html", {}, (page) => page.route("**/*.wasm", (route) => route.abort()));
  await status(page, /could not be loaded .*It needs WebAssembly and a recent browser/);
  assert.match(await page.locator(".cm-content").textContent(), /dist\.all_reduce/);
  assert.ok(await page.locator("figure.ranks").isHidden());
});

test("on a phone nothing but code and pictures scrolls sideways", async () => {
  const { page } = await open("playground.html", { viewport: { width: 390, height: 844 } });
  await status(page, "3 problems found.");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  const picture = await page.locator("#playground-ranks").boundingBox();
  assert.ok(picture.width > 500, `${picture.width}: its letters are too small`);
});

test("the editor has the colours that the reader chooses for the site", async () => {
  const { page } = await open("playground.html", { colorScheme: "light" });
  const background = () => page.locator(".cm-editor").evaluate((editor) => getComputedStyle(editor).backgroundColor);
  await page.locator(".cm-editor").waitFor();
  const light = await background();
  await page.evaluate(() => (document.body.dataset.theme = "dark"));
  await page.waitForFunction(
    (before) => getComputedStyle(document.querySelector(".cm-editor")).backgroundColor !== before,
    light,
  );
});

test("the search finds the rules about hangs", async () => {
  const { page } = await open("search.html?q=hang");
  const found = page.locator("#search-results a", { hasText: "chief-only-collective" });
  await found.first().waitFor();
});

test("a pasted log finds the messages that are in it", async () => {
  const { page } = await open("error-messages.html");
  const rows = page.locator("tbody tr:visible");
  const all = await rows.count();
  assert.ok(all > 150, `${all} messages`);
  await page.locator("textarea").fill("E1 RuntimeError: CUDA error: invalid device ordinal\nCUDA kernel errors might be");
  await page.locator("[role=status]", { hasText: "the closest first" }).waitFor();
  assert.match(await rows.first().textContent(), /invalid device ordinal.*wrong-device-index/s);
  assert.ok((await rows.count()) < all / 4);
  await page.locator("textarea").fill("");
  assert.equal(await rows.count(), all);
});

test("the page of a rule shows what the ranks do", async () => {
  const { page } = await open("rules/early-exit-before-collective.html");
  const pictures = page.locator("figure.ranks img");
  assert.equal(await pictures.count(), 2);
  for (const picture of await pictures.all()) {
    assert.ok(await picture.evaluate((image) => image.decode().then(() => image.naturalWidth)) > 100);
  }
});
