// Makes a page of the server fit for a webview, and reads what it says.

// Nothing may be loaded, and no script but the page's own may run: the text of the page comes from the checked files.
const NO_SCRIPT = "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:";

/**
 * Puts the policy in front of everything in the page. The page asks the system for light or dark colours; in the editor its
 * theme decides.
 */
export function tracePage(html: string, dark: boolean): string {
  const scheme = dark ? "dark" : "light";
  const head =
    `<meta http-equiv="Content-Security-Policy" content="${policyOf(html)}">` +
    `<style>:root, :root svg { color-scheme: ${scheme} !important }</style>`;
  // In style sheets alone: the script must stay as it is, and a copied picture asks for itself.
  const themed = html.replace(/<style>[^]*?<\/style>/g, (style) =>
    style.replace(
      /@media\s*\(prefers-color-scheme:\s*(dark|light)\)/g,
      (_, wanted: string) => `@media ${wanted === scheme ? "all" : "not all"}`,
    ),
  );
  const start = /^\s*(?:<!doctype[^>]*>\s*)?(?:<html[^>]*>\s*)?(?:<head[^>]*>\s*)?/i.exec(themed)?.[0].length ?? 0;
  return themed.slice(0, start) + head + themed.slice(start);
}

/** A page names its script by a digest, before any text of the checked files; older servers send none. */
function policyOf(html: string): string {
  const named = /^[^<]*(?:<(?:!doctype|html|head|meta)[^>]*>\s*)*?<meta[^>]*script-src '(sha256-[\w+/=]+)'/i.exec(html);
  return named ? `${NO_SCRIPT}; script-src '${named[1]}'` : NO_SCRIPT;
}

/** What the page of a trace asks the editor for: to show a place, or to keep a picture as a file. */
export type TraceMessage =
  | {
      readonly type: "open";
      readonly file: string;
      readonly line: number;
      readonly column: number;
      readonly cell: number;
    }
  | { readonly type: "save"; readonly name: string; readonly content: string };

/** A message of the page; undefined for anything else. */
export function traceMessage(message: unknown): TraceMessage | undefined {
  if (typeof message !== "object" || message === null) {
    return undefined;
  }
  const { type, file, line, column, cell, name, content } = message as Record<string, unknown>;
  if (type === "open" && typeof file === "string" && [line, column, cell].every(Number.isSafeInteger)) {
    return { type, file, line: Number(line), column: Number(column), cell: Number(cell) };
  }
  if (
    type === "save" &&
    typeof name === "string" &&
    /^\w+\.(?:mmd|svg|png)$/.test(name) &&
    typeof content === "string"
  ) {
    return { type, name, content };
  }
  return undefined;
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
