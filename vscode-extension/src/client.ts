// The language client, set up for our server.
import * as path from "node:path";
import * as vscode from "vscode";
import {
  CloseAction,
  DidChangeConfigurationNotification,
  ErrorAction,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  type Middleware,
  RevealOutputChannelOn,
} from "vscode-languageclient/node";
import { wantedCodeActions } from "./codeActions";
import { savedConfiguration } from "./configurationFiles";
import type { DeletedFiles } from "./deletedFiles";
import { SELECTOR } from "./documents";
import type { Launch } from "./launch";
import { RULE_SCHEME, SECTION, ServerCommand } from "./names";
import { pagesInPanels } from "./panels";
import { rulePagesInViews } from "./rulePages";
import { serverSettings } from "./settings";

const MOST_CRASHES = 4; // within CRASH_PERIOD; then the server is left alone, and the status says so
const CRASH_PERIOD = 180_000; // milliseconds

export interface ClientSurroundings {
  readonly extensionFolder: string;
  readonly serverLog: vscode.LogOutputChannel;
  readonly messages: vscode.LogOutputChannel;
  readonly deletedFiles: DeletedFiles;
  /** The server has crashed too often. */
  readonly onGivenUp: () => void;
  readonly showRulePage: (rule: string) => Promise<void>;
}

/** Makes a client that can be started. */
export function makeClient(launch: Launch, surroundings: ClientSurroundings): LanguageClient {
  const rulePages = rulePagesInViews(surroundings.showRulePage);
  const options: LanguageClientOptions = {
    documentSelector: SELECTOR,
    // Without these the client asks once per document and never again.
    diagnosticPullOptions: { onChange: true, onSave: true },
    initializationOptions: () => ({
      settings: serverSettings(undefined),
      commandLinks: true,
      rulePageScheme: RULE_SCHEME,
    }),
    markdown: { isTrusted: { enabledCommands: [ServerCommand.showTrace, ServerCommand.showRule] } },
    synchronize: { configurationSection: SECTION },
    outputChannel: surroundings.serverLog,
    traceOutputChannel: surroundings.messages,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationFailedHandler: () => false,
    errorHandler: patientErrorHandler(surroundings.onGivenUp),
    middleware: {
      ...settingsMiddleware((settings) =>
        client.sendNotification(DidChangeConfigurationNotification.type, { settings }),
      ),
      ...wantedCodeActions,
      ...savedConfiguration,
      executeCommand: (command, args: unknown[], next) =>
        pagesInPanels(command, args, (name, more: unknown[]) => rulePages(name, more, next)),
      ...surroundings.deletedFiles.middleware,
    },
  };
  // In a folder of ours: a program that looks into its working directory shall not find what is checked.
  const cwd = path.join(surroundings.extensionFolder, "bundled");
  const server = { command: launch.command, args: [...launch.args], options: { cwd } };
  const client = new QuietClient(SECTION, "ddl-lint", { run: server, debug: server }, options);
  return client;
}

/** Writes to the log what the library would show in a pop-up: nobody can do anything about a failed request. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  override warn(message: string, data?: unknown): void {
    super.warn(message, data, false);
  }
}

/** The server gets settings with their variables replaced. */
function settingsMiddleware(send: (settings: unknown) => Promise<void>): Middleware {
  return {
    workspace: {
      configuration: async (params, token, next) => {
        const plain = await next(params, token);
        if (!Array.isArray(plain)) {
          return plain;
        }
        return params.items.map((item, index) =>
          item.section === SECTION
            ? serverSettings(item.scopeUri ? vscode.Uri.parse(item.scopeUri) : undefined)
            : plain[index],
        );
      },
      didChangeConfiguration: () => send({ [SECTION]: serverSettings(undefined) }),
    },
  };
}

function patientErrorHandler(onGivenUp: () => void): ErrorHandler {
  const crashes: number[] = [];
  return {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed: () => {
      const now = Date.now();
      crashes.push(now);
      const recent = crashes.filter((time) => now - time < CRASH_PERIOD);
      if (recent.length < MOST_CRASHES) {
        return { action: CloseAction.Restart, handled: true };
      }
      onGivenUp();
      return { action: CloseAction.DoNotRestart, handled: true };
    },
  };
}
