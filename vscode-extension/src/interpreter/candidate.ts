/** An interpreter that may run the server, and who named it. */
export interface Candidate {
  /** A program: an absolute path, or a bare name that the operating system looks up. */
  readonly command: string;
  /** Who named it, for the log: "the setting ddl-lint.interpreter". */
  readonly origin: string;
}
