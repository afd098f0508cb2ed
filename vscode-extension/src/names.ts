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
  showJobs: "ddl-lint.showJobs",
  refreshJobs: "ddl-lint.refreshJobs",
  diagnoseLog: "ddl-lint.diagnoseLog",
  checkWorkspace: "ddl-lint.checkWorkspace",
  debugInformation: "ddl-lint.debugInformation",
} as const;

/** Commands of the server. They differ from those of the palette: the client registers them under these names. */
export const ServerCommand = {
  debugInformation: "ddl-lint.server.debugInformation",
  trace: "ddl-lint.server.trace",
  showTrace: "ddl-lint.server.showTrace",
  jobs: "ddl-lint.server.jobs",
  showJobs: "ddl-lint.server.showJobs",
  diagnose: "ddl-lint.server.diagnose",
  explainRule: "ddl-lint.server.explainRule",
  showRule: "ddl-lint.server.showRule",
  checkWorkspace: "ddl-lint.server.checkWorkspace",
} as const;

/** Saves configuration files that an action has changed. For actions only: it is not in the palette. */
export const SAVE_CONFIGURATION = "ddl-lint.saveConfiguration";

/** The pages of rules are documents of this scheme, `ddl-lint-rule:/DDL402 missing-set-epoch`, which a view of ours shows. */
export const RULE_SCHEME = "ddl-lint-rule";
export const RULE_VIEW = "ddl-lint.rulePage";

/** The view of the launches, in the Explorer. */
export const JOBS_VIEW = "ddl-lint.jobs";

/** What `when` clauses of package.json ask for. */
export const RUNNING_CONTEXT = "ddl-lint:running";

export const FIX_ALL_KIND = "source.fixAll.ddl-lint";
export const NOTEBOOK_FIX_ALL_KIND = "notebook.source.fixAll.ddl-lint";
