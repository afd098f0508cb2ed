import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, traceMessage, tracePage } from "../../src/tracePage";

const PAGE =
  '<!doctype html>\n<html lang="en">\n<style>@media (prefers-color-scheme: dark) { p { color: red } }</style><p>x</p>';

test("the policy stands before everything that it is for", () => {
  for (const page of [PAGE, "<p>x</p><style>p {}</style>", "<html><head><style>p {}</style></head></html>", ""]) {
    const shown = tracePage(page, true);
    const policy = shown.indexOf("Content-Security-Policy");
    assert.ok(policy >= 0 && policy < shown.lastIndexOf("<style>"), shown);
    assert.match(shown, /default-src 'none'/);
    assert.doesNotMatch(shown, /script-src/);
  }
  assert.match(tracePage(PAGE, true), /^<!doctype html>\n<html lang="en">\n<meta http-equiv/);
});

test("the colours are those of the editor's theme", () => {
  assert.match(tracePage(PAGE, true), /@media all \{ p/);
  assert.match(tracePage(PAGE, false), /@media not all \{ p/);
});

test("functions and methods are found under the names that trace takes", () => {
  const text = [
    "import torch",
    "def setup(rank): ...",
    "async def serve():",
    "    def inner(): ...",
    "class Trainer(Base):",
    "    @property",
    "    def model(self): ...",
    "    async def fit(self):",
    "        pass",
    "if __name__ == '__main__':",
    "    def hidden(): ...",
    "def last(): ...",
  ].join("\r\n");
  assert.deepEqual(functionsOf(text), ["setup", "serve", "Trainer.model", "Trainer.fit", "last"]);
});

test("the script of a page runs, by its digest; nothing that the checked files hold can name another", () => {
  const meta = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-abc+/='">`;
  const page = `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n${meta}\n</head><p>x</p></html>`;
  const first = (shown: string): string => /<meta[^>]*>/.exec(shown)?.[0] ?? "";
  assert.match(first(tracePage(page, true)), /script-src 'sha256-abc\+\/='/);
  assert.doesNotMatch(first(tracePage(`<html><p>hostile</p>${meta}</html>`, true)), /script-src/);
});

test("only style sheets take the theme: a script that changes would not run", () => {
  const script = '<script>"@media (prefers-color-scheme: dark)"</script>';
  assert.ok(tracePage(`<style>@media (prefers-color-scheme: dark) {}</style>${script}`, false).endsWith(script));
});

test("messages of the page are read, and nothing else", () => {
  const place = { type: "open", file: "train.py", line: 3, column: 1, cell: 0 };
  assert.deepEqual(traceMessage(place), place);
  assert.equal(traceMessage({ ...place, line: "3" }), undefined);
  assert.equal(traceMessage({ type: "save", name: "../evil.sh", content: "" }), undefined);
  assert.deepEqual(traceMessage({ type: "save", name: "trace.png", content: "AA==" })?.type, "save");
  assert.equal(traceMessage(null), undefined);
});
