// Makes a page of the server fit for a webview.

// Nothing may be loaded, and no script but the page's own may run: the text of the page comes from the checked files.
const NO_SCRIPT = "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:";

// The names of the pages' colours, and what the editor's theme calls them: the editor puts its own on the root, and a class on
// the body. The colours of groups stay as the page has them, for they must differ from each other.
const COLOURS: readonly (readonly [string, string])[] = [
  ["ground", "editor-background"],
  ["text", "editor-foreground"],
  ["dim", "descriptionForeground"],
  ["line", "widget-border, var(--vscode-panel-border)"],
  ["block", "textCodeBlock-background"],
  ["link", "textLink-foreground"],
  ["red", "editorError-foreground"],
  ["amber", "editorWarning-foreground"],
  ["mono", "editor-font-family"],
];
const CONTRAST = [
  ["line", "contrastBorder"],
  ["dim", "foreground"],
  ["block", "editor-background"],
  ["alarm", "editor-background"],
  ["caution", "editor-background"],
] as const;

function ofTheme(colours: readonly (readonly [string, string])[]): string {
  return colours.map(([name, theme]) => `--${name}: var(--vscode-${theme})`).join("; ");
}

/** In the colours of the theme; in one of high contrast, blocks have borders in place of grounds. */
const THEME =
  `body:is(.vscode-light, .vscode-dark, .vscode-high-contrast) { ${ofTheme(COLOURS)}; ` +
  `font-family: var(--vscode-font-family, system-ui); padding: 0 }` +
  `body:is(.vscode-light, .vscode-dark, .vscode-high-contrast) svg .ground { fill: none }` +
  `body.vscode-high-contrast { ${ofTheme(CONTRAST)} }` +
  `body.vscode-high-contrast :is(p.verdict, mark, .code [data-hit], li[aria-current]) ` +
  `{ outline: 1px solid var(--vscode-contrastActiveBorder, currentColor); outline-offset: -1px }`;

/**
 * Puts the policy in front of everything in the page. The page asks the system for light or dark colours; in the editor its
 * theme decides.
 */
export function themedPage(html: string, dark: boolean): string {
  const scheme = dark ? "dark" : "light";
  const head =
    `<meta http-equiv="Content-Security-Policy" content="${policyOf(html)}">` +
    `<style>:root, :root svg { color-scheme: ${scheme} !important } ${THEME}</style>`;
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
