// Bundles the extension into dist/, and with --tests its tests into out/.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { build } from "esbuild";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const common = { bundle: true, platform: "node", format: "cjs", target: "node20", logLevel: "warning" };

rmSync(path.join(root, "dist"), { recursive: true, force: true });
const { metafile } = await build({
  ...common,
  metafile: true,
  absWorkingDir: root,
  entryPoints: [path.join(root, "src/extension.ts")],
  outfile: path.join(root, "dist/extension.js"),
  external: ["vscode"], // the editor brings it
  minify: true,
});

writeFileSync(path.join(root, "dist/licenses.txt"), licences(Object.keys(metafile.inputs)));

if (process.argv.includes("--tests")) {
  rmSync(path.join(root, "out"), { recursive: true, force: true });
  for (const [folder, external] of [
    ["unit", []],
    ["suite", ["vscode", "mocha"]],
  ]) {
    const files = readdirSync(path.join(root, "tests", folder)).filter((name) => name.endsWith(".ts"));
    await build({
      ...common,
      entryPoints: files.map((name) => path.join(root, "tests", folder, name)),
      outdir: path.join(root, "out", folder),
      external,
      sourcemap: "inline",
    });
  }
}

/** The licence texts of all packages that were bundled. */
function licences(inputs) {
  const packages = inputs.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter(Boolean);
  const texts = [...new Set(packages)].sort().map((folder) => {
    const file = readdirSync(path.join(root, folder)).find((name) => /^licen[cs]e/i.test(name));
    if (!file) {
      throw new Error(`${folder} has no licence text`);
    }
    return `${folder.split("node_modules/").at(-1)}\n\n${readFileSync(path.join(root, folder, file), "utf8").trim()}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
