// Makes a page of the server fit for a webview.

// Nothing may be loaded, and no script but the page's own may run: the text of the page comes from the checked files.
const NO_SCRIPT = "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:";

/**
 * Puts the policy in front of everything in the page. The page asks the system for light or dark colours; in the editor its
 * theme decides.
 */
export function themedPage(html: string, dark: boolean): string {
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
