// Which documents are the server's.
import type { DocumentSelector } from "vscode-languageclient/node";

/** Python files, new files that have no name yet, and the Python cells of notebooks. */
export const SELECTOR = [
  { scheme: "file", language: "python" },
  { scheme: "untitled", language: "python" },
  { notebook: "*", language: "python" },
] satisfies DocumentSelector;
