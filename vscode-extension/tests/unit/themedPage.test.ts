import assert from "node:assert/strict";
import { test } from "node:test";
import { themedPage } from "../../src/themedPage";

const PAGE =
  '<!doctype html>\n<html lang="en">\n<style>@media (prefers-color-scheme: dark) { p { color: red } }</style><p>x</p>';

test("the policy stands before everything that it is for", () => {
  for (const page of [PAGE, "<p>x</p><style>p {}</style>", "<html><head><style>p {}</style></head></html>", ""]) {
    const shown = themedPage(page, true);
    const policy = shown.indexOf("Content-Security-Policy");
    assert.ok(policy >= 0 && policy < shown.lastIndexOf("<style>"), shown);
    assert.match(shown, /default-src 'none'/);
    assert.doesNotMatch(shown, /script-src/);
  }
  assert.match(themedPage(PAGE, true), /^<!doctype html>\n<html lang="en">\n<meta http-equiv/);
});

test("the colours are those of the editor's theme", () => {
  assert.match(themedPage(PAGE, true), /@media all \{ p/);
  assert.match(themedPage(PAGE, false), /@media not all \{ p/);
});

test("the script of a page runs, by its digest; nothing that the checked files hold can name another", () => {
  const meta = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-abc+/='">`;
  const page = `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n${meta}\n</head><p>x</p></html>`;
  const first = (shown: string): string => /<meta[^>]*>/.exec(shown)?.[0] ?? "";
  assert.match(first(themedPage(page, true)), /script-src 'sha256-abc\+\/='/);
  assert.doesNotMatch(first(themedPage(`<html><p>hostile</p>${meta}</html>`, true)), /script-src/);
});

test("only style sheets take the theme: a script that changes would not run", () => {
  const script = '<script>"@media (prefers-color-scheme: dark)"</script>';
  assert.ok(themedPage(`<style>@media (prefers-color-scheme: dark) {}</style>${script}`, false).endsWith(script));
});

test("the colours of the theme replace those of the page, and high contrast draws borders", () => {
  const shown = themedPage(PAGE, true);
  assert.match(shown, /body:is\(\.vscode-light, [^)]*\) \{ --ground: var\(--vscode-editor-background\);/);
  assert.match(shown, /body\.vscode-high-contrast \{ --line: var\(--vscode-contrastBorder\);/);
  assert.ok(shown.indexOf("--vscode-editor-background") < shown.indexOf("<p>"), "before what the page says");
});
