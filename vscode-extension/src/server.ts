// Starts, restarts and stops the server: one thing at a time, and only if something would be different afterwards.
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { makeClient } from "./client";
import type { DeletedFiles } from "./deletedFiles";
import { findLaunch } from "./findLaunch";
import { isSameLaunch, type Launch, type NoLaunch, type PassedOver } from "./launch";
import { RUNNING_CONTEXT } from "./names";
import { filterMessages } from "./notifications";
import { showRulePage } from "./rulePages";
import { isEnabledSomewhere } from "./settings";
import type { Status } from "./status";
import { describe, inOneLine, troubleWithout, troubleWithServer } from "./trouble";

export interface ServerSurroundings {
  readonly extensionFolder: string;
  readonly log: vscode.LogOutputChannel;
  readonly serverLog: vscode.LogOutputChannel;
  readonly messages: vscode.LogOutputChannel;
  readonly deletedFiles: DeletedFiles;
  readonly status: Status;
  /** No interpreter was found: the one case in which the user has to do something. */
  readonly onNoInterpreter: () => void;
}

/** The server of this window. */
export class Server {
  readonly #around: ServerSurroundings;
  #client: LanguageClient | undefined;
  #launch: Launch | undefined;
  #passedOver: readonly PassedOver[] = [];
  readonly #started = new vscode.EventEmitter<void>();
  #wanted = false;
  #running: Promise<void> = Promise.resolve();
  #queued: { restart: boolean; outcome: Promise<void> } | undefined;

  constructor(surroundings: ServerSurroundings) {
    this.#around = surroundings;
    surroundings.status.resting("waits for training code");
  }

  /** The server runs, for the first time or again. */
  readonly onDidStart = this.#started.event;

  /** The client, while the server runs. */
  get client(): LanguageClient | undefined {
    return this.#client?.isRunning() ? this.#client : undefined;
  }

  /** What was started last. */
  get launch(): Launch | undefined {
    return this.#launch;
  }

  /** The version that the running server says it has. */
  get version(): string {
    return this.#client?.initializeResult?.serverInfo?.version ?? "unknown version";
  }

  /** What could not be used when the server was looked for, and why. */
  get passedOver(): readonly PassedOver[] {
    return this.#passedOver;
  }

  /** There is something to check from now on. */
  want(): Promise<void> {
    this.#wanted = true;
    return this.refresh("training code was found");
  }

  /**
   * Makes what runs agree with the settings. While one refresh is under way, all further wishes become a single one after
   * it. `restart` restarts even what would be the same.
   */
  refresh(reason: string, restart = false): Promise<void> {
    if (this.#queued) {
      this.#queued.restart ||= restart;
      return this.#queued.outcome;
    }
    const outcome = this.#running.then(async () => {
      const wish = this.#queued;
      this.#queued = undefined;
      this.#running = this.#refresh(reason, wish?.restart ?? restart).catch((error: unknown) => {
        this.#around.log.error(error instanceof Error ? error : String(error));
        this.#around.status.broken(troubleWithServer(error instanceof Error ? error.message : String(error)));
      });
      await this.#running;
    });
    this.#queued = { restart, outcome };
    return outcome;
  }

  /** Ends the server, for good. */
  async stop(): Promise<void> {
    this.#wanted = false;
    await this.#running;
    await this.#end();
  }

  async #refresh(reason: string, restart: boolean): Promise<void> {
    const { log, status, extensionFolder } = this.#around;
    if (!this.#wanted || !isEnabledSomewhere()) {
      await this.#end();
      status.resting(this.#wanted ? "is switched off by the setting ddl-lint.enable" : "waits for training code");
      return;
    }
    if (!this.client) {
      status.starting();
    }
    log.info(`Looking for ddl-lint: ${reason}.`);
    const launch = await findLaunch(extensionFolder, log);
    if (!restart && launch.command !== undefined && this.client && isSameLaunch(launch, this.#launch)) {
      log.info("The running server is the right one.");
      status.running(this.version, launch);
      return;
    }
    await this.#end();
    status.starting();
    if (!(await this.#begin(launch)) && launch.command !== undefined) {
      log.info("Trying the ddl-lint that comes with the extension.");
      const bundled = await findLaunch(extensionFolder, log, true);
      if (bundled.command === undefined || isSameLaunch(bundled, launch) || !(await this.#begin(bundled))) {
        status.broken(troubleWithServer("the server did not start"));
      }
    }
  }

  async #begin(launch: Launch | NoLaunch): Promise<boolean> {
    const { log, serverLog, messages, deletedFiles, status, extensionFolder } = this.#around;
    this.#passedOver = launch.passedOver;
    for (const passedOver of launch.passedOver) {
      log.warn(describe(passedOver));
    }
    if (launch.command === undefined) {
      const trouble = troubleWithout(launch.passedOver);
      log.error(`The server cannot be started: ${inOneLine(trouble)}`);
      status.broken(trouble);
      this.#around.onNoInterpreter();
      return false;
    }
    log.info(
      `Starting ddl-lint, ${launch.description} (${launch.origin}): ${[launch.command, ...launch.args].join(" ")}`,
    );
    const onGivenUp = (): void => {
      void vscode.commands.executeCommand("setContext", RUNNING_CONTEXT, false);
      status.broken(troubleWithServer("the server crashed several times"));
    };
    const showPage = (rule: string): Promise<void> => showRulePage(this, rule);
    const around = { extensionFolder, serverLog, messages, deletedFiles, onGivenUp, showRulePage: showPage };
    const client = makeClient(launch, around);
    filterMessages(client, serverLog);
    try {
      await client.start();
    } catch (error) {
      log.error(`The server did not start: ${error instanceof Error ? error.message : String(error)}`);
      await client.dispose().catch(() => undefined);
      return false;
    }
    this.#client = client;
    this.#launch = launch;
    log.info(`The server runs: ddl-lint ${this.version}, ${launch.description}.`);
    status.running(this.version, launch);
    await vscode.commands.executeCommand("setContext", RUNNING_CONTEXT, true);
    this.#started.fire();
    return true;
  }

  async #end(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#launch = undefined;
    await vscode.commands.executeCommand("setContext", RUNNING_CONTEXT, false);
    // A server that hangs is ended after a while; whatever it says then is of no interest.
    await client?.dispose(5000).catch(() => undefined);
  }
}
