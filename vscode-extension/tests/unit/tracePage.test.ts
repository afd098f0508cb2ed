import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, tracePage } from "../../src/tracePage";

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
