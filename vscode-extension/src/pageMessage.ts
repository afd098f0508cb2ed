// Reads what the page of a trace says.

/** What the page of a trace asks the editor for: to show a place, or to keep a picture as a file. */
export type TraceMessage =
  | {
      readonly type: "open";
      readonly file: string;
      readonly line: number;
      readonly column: number;
      readonly cell: number;
    }
  | { readonly type: "save"; readonly name: string; readonly content: string };

/** A message of the page; undefined for anything else. */
export function traceMessage(message: unknown): TraceMessage | undefined {
  if (typeof message !== "object" || message === null) {
    return undefined;
  }
  const { type, file, line, column, cell, name, content } = message as Record<string, unknown>;
  if (type === "open" && typeof file === "string" && [line, column, cell].every(Number.isSafeInteger)) {
    return { type, file, line: Number(line), column: Number(column), cell: Number(cell) };
  }
  if (
    type === "save" &&
    typeof name === "string" &&
    /^\w+\.(?:mmd|svg|png)$/.test(name) &&
    typeof content === "string"
  ) {
    return { type, name, content };
  }
  return undefined;
}
