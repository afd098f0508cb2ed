// package.json against the code: what is contributed exists, and the other way round.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { Command, JOBS_VIEW, SECTION } from "../../src/names";

const root = path.resolve(__dirname, "../..");
const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
const settings: Record<string, { scope: string; default: unknown; markdownDescription: string }> =
  manifest.contributes.configuration.properties;
const sources = fs
  .readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => fs.readFileSync(path.join(root, "src", name), "utf8"))
  .join("\n");

test("the commands of the palette are those of the code", () => {
  const contributed = manifest.contributes.commands.map(({ command }: { command: string }) => command).sort();
  assert.deepEqual(contributed, Object.values<string>(Command).sort());
});

test("each setting is read, and each that is read exists", () => {
  for (const name of Object.keys(settings)) {
    assert.ok(sources.includes(`"${name.slice(SECTION.length + 1)}"`), `${name} is not read`);
  }
  for (const [, name] of sources.matchAll(/\.get(?:<[^(]*>)?\(\s*"([\w.]+)",/g)) {
    assert.ok(`${SECTION}.${name}` in settings, `${name} is not in package.json`);
  }
});

test("the defaults in the code are those of package.json", () => {
  for (const [, name, value] of sources.matchAll(/\.get(?:<[^(]*>)?\(\s*"([\w.]+)",\s*([^)]*)\)/g)) {
    assert.equal(JSON.stringify(settings[`${SECTION}.${name}`]?.default), value, name);
  }
});

test("settings that name a program cannot come from an untrusted folder", () => {
  const restricted = new Set(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations);
  for (const name of ["interpreter", "path", "args", "importStrategy", "configuration"]) {
    assert.ok(restricted.has(`${SECTION}.${name}`), name);
  }
  for (const [name, { scope }] of Object.entries(settings)) {
    assert.ok(scope !== "machine-overridable" || restricted.has(name), name);
  }
});

test("all files that package.json names exist", () => {
  const text = JSON.stringify(manifest.contributes.walkthroughs);
  for (const [, file] of [...text.matchAll(/"markdown":"([^"]+)"/g), ["", manifest.icon]]) {
    assert.ok(fs.existsSync(path.join(root, String(file))), file);
  }
});

test("the pictures of the README are there", () => {
  const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");
  const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, address = ""]) => address);
  assert.ok(pictures.length > 3);
  for (const address of pictures) {
    assert.ok(address.startsWith("https://") || fs.existsSync(path.join(root, address)), address);
  }
});

test("the README tells of every setting and command", () => {
  const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");
  for (const name of Object.keys(settings)) {
    assert.ok(readme.includes(`\`${name}\``), name);
  }
  for (const { title } of manifest.contributes.commands) {
    assert.ok(readme.includes(title), title);
  }
});

test("the titles of the walkthrough fit into its list", () => {
  for (const { title } of manifest.contributes.walkthroughs[0].steps) {
    assert.ok(title.length <= 30, title);
  }
});

test("findings of a task are read from either format for people", () => {
  const [{ pattern }] = manifest.contributes.problemMatchers;
  const line = "src/train.py:7:5: warning DDL502 collective-under-rank-guard: Hang: only rank 0 calls `all_reduce`";
  const found = new RegExp(pattern.regexp).exec(line);
  assert.deepEqual(
    [pattern.file, pattern.line, pattern.column, pattern.severity, pattern.code].map((group: number) => found?.[group]),
    ["src/train.py", "7", "5", "warning", "DDL502"],
  );
  for (const other of [
    "  = help: Call `all_reduce` on every rank.",
    "Found 1 error in 2 files.",
    " --> a.py:6:4: here",
  ]) {
    assert.doesNotMatch(other, new RegExp(pattern.regexp));
  }
});

test("what can be clicked in a view exists", () => {
  const commands = new Set(manifest.contributes.commands.map(({ command }: { command: string }) => command));
  assert.equal(manifest.contributes.views.explorer[0].id, JOBS_VIEW);
  for (const entry of Object.values<{ command: string }[]>(manifest.contributes.menus).flat()) {
    assert.ok(commands.has(entry.command), entry.command);
  }
});
