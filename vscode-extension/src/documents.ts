// Which documents are the server's.
import type { DocumentSelector } from "vscode-languageclient/node";

/**
 * Python files, new files that have no name yet, and the Python cells of notebooks. Of configuration files the server knows
 * the text only because an action may change it.
 */
export const SELECTOR = [
  { scheme: "file", language: "python" },
  { scheme: "untitled", language: "python" },
  { notebook: "*", language: "python" },
  { scheme: "file", pattern: "**/{pyproject,ddl-lint,.ddl-lint}.toml" },
] satisfies DocumentSelector;
