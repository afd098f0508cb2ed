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

/** The page of the playground, once for all tests: to load Python takes long. It has the first example again. */
async function playground(viewport = { width: 1280, height: 800 }) {
  shared ??= open("playground.html");
  const { page } = await shared;
  await page.setViewportSize(viewport);
  await status(page, /problems? found|invalid syntax/);
  await page.locator("#playground-example").selectOption({ index: 1 });
  await page.locator("#playground-example").selectOption({ index: 0 });
  await status(page, "3 problems found.");
  return shared;
}
let shared;

test("the example of the playground has a hang, its picture and a fix", async () => {
  const { page, elsewhere } = await playground();
  const first = page.locator("#playground-findings li").first();
  assert.match(await first.textContent(), /line 13.*early-exit-before-collective.*all_reduce/s);
  assert.equal(await first.getAttribute("class"), "error");
  assert.equal(await first.locator("p code").first().textContent(), "all_reduce");
  await page.locator("#playground-ranks svg").waitFor();
  await first.locator("button.fix").click();
  await status(page, "2 problems found.");
  assert.match(await page.locator("#playground-findings").textContent(), /missing-set-epoch/);
  const link = await page.locator("#playground-findings a").first().getAttribute("href");
  assert.ok(existsSync(path.join(SITE, link)), link);
  assert.deepEqual(elsewhere, []);
});

test("a place of the picture leads to its line", async () => {
  const { page } = await playground();
  await page.locator("#playground-ranks [role=link]", { hasText: "train.py:14" }).first().click();
  assert.equal(await page.locator(".cm-activeLine").textContent(), "    dist.all_reduce(total)");
});

test("a second file says how the script is started", async () => {
  const { page } = await playground();
  await page.locator("#playground-example").selectOption({ label: "Launch line: two nodes that never meet" });
  await status(page, "2 problems found.");
  const finding = page.locator("#playground-findings li", { hasText: "multinode-loopback-master" });
  await finding.getByRole("button", { name: /launch.sh, line/ }).click();
  assert.equal(await page.locator("[role=tab][aria-selected=true]").textContent(), "launch.sh");
  await page.locator("#playground-findings button.fix").first().click();
  await status(page, "1 problem found.");
  assert.match(await page.locator(".cm-content").textContent(), /--nproc_per_node=8/);
});

test("each example has something to find", async () => {
  const { page } = await playground();
  const names = await page.locator("#playground-example option").allTextContents();
  assert.ok(names.length >= 4);
  for (const name of names.reverse()) {
    await page.locator("#playground-example").selectOption({ label: name });
    await status(page, /\d problems? found/);
  }
});

test("a link holds the files, and sends them nowhere", async () => {
  const { page, elsewhere } = await playground();
  await page.getByLabel("Add a file").selectOption("launch.sh");
  await write(page, "torchrun --nproc_per_node 2 --master_prot 29500 train.py\n");
  await status(page, "4 problems found.");
  await page.locator("#playground-share").click();
  await page.waitForFunction(() => location.hash.length > 100);
  const link = new URL(page.url()).hash;
  await page.locator("#playground-example").selectOption({ index: 1 });
  await status(page, "2 problems found.");
  await page.evaluate(() => (location.hash = "bm9uc2Vuc2U")); // Nobody has packed this: all stays as it is.
  await page.evaluate((hash) => (location.hash = hash), link);
  await status(page, "4 problems found.");
  assert.deepEqual(await page.locator("[role=tab]").allTextContents(), ["train.py", "launch.sh"]);
  assert.deepEqual(elsewhere, []);
});

test("nothing of a shared script becomes part of the page", async () => {
  const { page } = await playground();
  const drawn = await page.evaluate(async () => {
    const { draw } = await import("./playground/picture.js");
    const host = document.body.appendChild(document.createElement("div"));
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran = 1"><script>window.ran = 1</script><foreignObject>
      <img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="window.ran = 1"/></foreignObject><a href="javascript:window.ran = 1">
      <text>a</text></a><text onclick="window.ran = 1">train.py:3</text></svg>`;
    draw(host, svg, () => {});
    return host.shadowRoot.innerHTML;
  });
  assert.ok(!/script|foreignObject|onload|onclick|href/.test(drawn), drawn);
  assert.equal(await page.evaluate(() => window.ran), undefined);
});

test("what is typed is checked, what is not Python is told", async () => {
  const { page } = await playground();
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
  const { page } = await playground({ width: 390, height: 844 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  const picture = await page.locator("#playground-ranks").boundingBox();
  assert.ok(picture.width > 500, `${picture.width}: its letters are too small`);
});

test("a line of ordinary length is whole on a laptop", async () => {
  const { page } = await playground();
  const width = await page
    .locator(".cm-content")
    .evaluate((content) => content.closest(".cm-scroller").clientWidth / (parseFloat(getComputedStyle(content).fontSize) * 0.62));
  assert.ok(width >= 70, `${width} columns`);
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

test("the list of rules has filters, which the address keeps", async () => {
  const { page } = await open("rules.html");
  const rows = page.locator("tbody tr:visible");
  const all = await rows.count();
  assert.ok(all > 200);
  await page.locator("select[name=costs]").selectOption("hang");
  await page.locator("select[name=fix]").selectOption("safe");
  const few = await rows.count();
  assert.ok(few > 3 && few < all / 5, `${few} of ${all}`);
  for (const row of await rows.all()) {
    assert.match(await row.textContent(), /hang/);
  }
  assert.match(page.url(), /\?costs=hang&fix=safe$/);
  const { page: again } = await open(page.url().slice(address.length + 1));
  assert.equal(await again.locator("tbody tr:visible").count(), few);
  await again.getByRole("button", { name: "Clear" }).click();
  await again.waitForFunction((count) => [...document.querySelectorAll("tbody tr")].filter((row) => !row.hidden).length === count, all);
  await again.locator("select[name=acted]").selectOption("three quarters or more");
  const acted = await again.locator("tbody tr:visible").count();
  assert.ok(acted > 3 && acted < all / 2, `${acted}`);
  await again.locator("input[name=find]").fill("set_epoch");
  await again.locator("[role=status]", { hasText: /of \d+ rules/ }).waitFor();
});

test("on a phone the rules are cards", async () => {
  const { page } = await open("rules.html?costs=hang", { viewport: { width: 390, height: 844 } });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  const finds = await page.locator("tbody tr:visible td:nth-child(3)").first().boundingBox();
  assert.ok(finds.width > 300, `${finds.width}`);
});

test("the first page shows what a hang looks like without scrolling", async () => {
  const { page } = await open("index.html", { viewport: { width: 1280, height: 800 } });
  const picture = await page.locator(".hero img").boundingBox();
  assert.ok(picture.y + picture.height <= 800 && picture.width > 300, JSON.stringify(picture));
  assert.ok(await page.locator("link[rel=icon], link[rel='shortcut icon']").count());
});
