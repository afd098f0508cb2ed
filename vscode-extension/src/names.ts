// Names that the editor, the server and this extension agree upon.

/** The prefix of all settings, the section that the server asks for, and the `source` of its diagnostics. */
export const SECTION = "ddl-lint";

/** Commands of the palette. */
export const Command = {
  restart: "ddl-lint.restart",
  showLogs: "ddl-lint.showLogs",
  showServerLogs: "ddl-lint.showServerLogs",
  fixAll: "ddl-lint.fixAll",
  explainRule: "ddl-lint.explainRule",
  showTrace: "ddl-lint.showTrace",
  debugInformation: "ddl-lint.debugInformation",
} as const;

/** Commands of the server. They differ from those of the palette: the client registers them under these names. */
export const ServerCommand = {
  debugInformation: "ddl-lint.server.debugInformation",
  trace: "ddl-lint.server.trace",
  showTrace: "ddl-lint.server.showTrace",
  explainRule: "ddl-lint.server.explainRule",
} as const;

/** What `when` clauses of package.json ask for. */
export const RUNNING_CONTEXT = "ddl-lint:running";

export const FIX_ALL_KIND = "source.fixAll.ddl-lint";
export const NOTEBOOK_FIX_ALL_KIND = "notebook.source.fixAll.ddl-lint";
