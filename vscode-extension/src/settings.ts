// The settings, with their variables replaced.
import * as os from "node:os";
import * as vscode from "vscode";
import type { ImportStrategy } from "./launch";
import { SECTION } from "./names";
import { expand, expandPath, type Surroundings } from "./variables";

/** Which settings decide what is started; the others are the server's, which asks for them. */
export const LAUNCH_SETTINGS = ["interpreter", "importStrategy", "path", "args"].map((name) => `${SECTION}.${name}`);

/** Settings that decide what is started. */
export interface LaunchSettings {
  readonly interpreter: string;
  readonly importStrategy: ImportStrategy;
  readonly path: string;
  readonly args: readonly string[];
}

/** Which code actions are wanted in a document. */
export interface WantedActions {
  readonly fix: boolean;
  readonly suppress: boolean;
  readonly fixAll: boolean;
}

export type LogLevel = "error" | "warning" | "info" | "debug";
export type Notifications = "off" | "onError" | "onWarning" | "always";
export type MessageTrace = "off" | "messages" | "verbose";

/** What is started is one for the window; where folders differ, the first one decides. */
export function launchSettings(): LaunchSettings {
  const folder = vscode.workspace.workspaceFolders?.[0];
  const settings = vscode.workspace.getConfiguration(SECTION, folder?.uri);
  const surroundings = surroundingsOf(folder);
  return {
    interpreter: expandPath(settings.get("interpreter", ""), surroundings),
    importStrategy: settings.get<ImportStrategy>("importStrategy", "fromEnvironment"),
    path: expandPath(settings.get("path", ""), surroundings),
    args: settings.get<string[]>("args", []).map((argument) => expand(argument, surroundings)),
  };
}

/** The settings of a folder or file that are the server's, under the names of package.json without the prefix. */
export function serverSettings(resource: vscode.Uri | undefined): Record<string, unknown> {
  const folder = resource ? vscode.workspace.getWorkspaceFolder(resource) : vscode.workspace.workspaceFolders?.[0];
  const scope = resource ?? folder?.uri;
  const settings = vscode.workspace.getConfiguration(SECTION, scope);
  const surroundings = surroundingsOf(folder);
  const configuration: unknown = settings.get("configuration", "");
  return {
    enable: settings.get("enable", true),
    select: settings.get("select", null),
    ignore: settings.get("ignore", []),
    extendSelect: settings.get("extendSelect", []),
    pedantic: settings.get("pedantic", false),
    preview: settings.get("preview", false),
    exclude: settings.get("exclude", []),
    target: settings.get("target", []),
    severity: settings.get("severity", {}),
    configuration: typeof configuration === "string" ? expandPath(configuration, surroundings) : configuration,
    configurationPreference: settings.get("configurationPreference", "editorFirst"),
    diagnosticMode: settings.get("diagnosticMode", "workspace"),
  };
}

/** Whether ddl-lint is on in at least one folder, or in the window that has none. */
export function isEnabledSomewhere(): boolean {
  const scopes = vscode.workspace.workspaceFolders?.map((folder) => folder.uri) ?? [undefined];
  return scopes.some((scope) => vscode.workspace.getConfiguration(SECTION, scope).get("enable", true));
}

export function wantedActions(resource: vscode.Uri): WantedActions {
  const settings = vscode.workspace.getConfiguration(SECTION, resource);
  return {
    fix: settings.get("codeAction.fix.enable", true),
    suppress: settings.get("codeAction.suppress.enable", true),
    fixAll: settings.get("fixAll", true),
  };
}

export function logLevel(): LogLevel {
  return vscode.workspace.getConfiguration(SECTION).get<LogLevel>("logLevel", "info");
}

export function notifications(): Notifications {
  return vscode.workspace.getConfiguration(SECTION).get<Notifications>("showNotifications", "off");
}

export function messageTrace(): MessageTrace {
  return vscode.workspace.getConfiguration(SECTION).get<MessageTrace>("trace.server", "off");
}

function surroundingsOf(folder: vscode.WorkspaceFolder | undefined): Surroundings {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return {
    folder: folder?.uri.fsPath,
    folders: new Map(folders.map((each) => [each.name, each.uri.fsPath])),
    home: os.homedir(),
    environment: process.env,
  };
}
