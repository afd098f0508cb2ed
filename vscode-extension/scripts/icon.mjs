// Draws media/icon.png: three ranks that meet twice; the third time one of them does not come.
//
// Usage: scripts/with-editor.sh node scripts/icon.mjs
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const SIZE = 256;
const LANES = [64, 128, 192];
const MEETINGS = [68, 124];
const LAST = 188;
const [NIGHT, LINE, BLUE, RED] = ["#0d1b2a", "#5c7080", "#5bb5f7", "#ff6b57"];

const lane = (x, end) => `<line x1="${x}" y1="28" x2="${x}" y2="${end}" stroke="${LINE}" stroke-width="9"/>`;
const dot = (x, y, colour) => `<circle cx="${x}" cy="${y}" r="14" fill="${colour}"/>`;
const bar = (y, from, to, colour, more = "") =>
  `<line x1="${from}" y1="${y}" x2="${to}" y2="${y}" stroke="${colour}" stroke-width="9" ${more}/>`;
const cross = (x, y) =>
  `<path d="M${x - 17} ${y - 17} l34 34 m0 -34 l-34 34" stroke="${RED}" stroke-width="13" stroke-linecap="round"/>`;

const [left, middle, right] = LANES;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 256 256">
  <rect width="256" height="256" rx="52" fill="${NIGHT}"/>
  <g stroke-linecap="round">
    ${lane(left, 228)}${lane(middle, 228)}${lane(right, 152)}
    ${MEETINGS.map((y) => bar(y, left, right, BLUE) + LANES.map((x) => dot(x, y, BLUE)).join("")).join("")}
    ${bar(LAST, left, middle, RED)}${bar(LAST, middle + 22, right - 30, RED, 'stroke-dasharray="2 14"')}
    ${dot(left, LAST, RED)}${dot(middle, LAST, RED)}${cross(right, LAST)}
  </g>
</svg>`;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
  await page.screenshot({ path: path.join(root, "media/icon.png"), omitBackground: true });
} finally {
  await browser.close();
}
