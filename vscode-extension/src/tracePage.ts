// Makes a page of the server fit for a webview.

// Nothing may be loaded or run: the picture is text, shapes and styles. Its text comes from the checked files.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/**
 * Puts the policy in front of everything in the page. The page asks the system for light or dark colours; in the editor its
 * theme decides.
 */
export function tracePage(html: string, dark: boolean): string {
  const scheme = dark ? "dark" : "light";
  const head =
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
    `<style>:root, :root svg { color-scheme: ${scheme} !important }</style>`;
  const themed = html.replace(
    /@media\s*\(prefers-color-scheme:\s*(dark|light)\)/g,
    (_, wanted: string) => `@media ${wanted === scheme ? "all" : "not all"}`,
  );
  const start = /^\s*(?:<!doctype[^>]*>\s*)?(?:<html[^>]*>\s*)?(?:<head[^>]*>\s*)?/i.exec(themed)?.[0].length ?? 0;
  return themed.slice(0, start) + head + themed.slice(start);
}

/** The functions and methods of a Python text, by the names that `ddl-lint trace FILE::NAME` takes. */
export function functionsOf(text: string): string[] {
  const names: string[] = [];
  let owner: string | undefined;
  for (const line of text.split(/\r\n|\n|\r/)) {
    const definition = /^([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)/.exec(line);
    if (definition) {
      const [, indent, keyword, name] = definition;
      if (keyword === "class") {
        owner = indent === "" ? name : owner;
      } else if (indent === "") {
        owner = undefined;
        names.push(name ?? "");
      } else if (owner !== undefined && !names.includes(`${owner}.${name}`)) {
        names.push(`${owner}.${name}`);
      }
    } else if (/^[^\s#)\]}]/.test(line) && !line.startsWith("@")) {
      owner = undefined;
    }
  }
  return names;
}
