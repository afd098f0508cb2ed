// Reads what a page of the server says in its panel.

/** What a page asks the editor for: to show a place or the trace of a script, or to keep a picture as a file. */
export type PageMessage =
  | {
      readonly type: "open";
      readonly file: string;
      readonly line: number;
      readonly column: number;
      readonly cell: number;
    }
  | { readonly type: "trace"; readonly file: string }
  | { readonly type: "save"; readonly name: string; readonly content: string };

/** A message of a page; undefined for anything else. */
export function pageMessage(message: unknown): PageMessage | undefined {
  if (typeof message !== "object" || message === null) {
    return undefined;
  }
  const { type, file, line, column, cell, name, content } = message as Record<string, unknown>;
  if (type === "open" && typeof file === "string" && [line, column, cell].every(Number.isSafeInteger)) {
    return { type, file, line: Number(line), column: Number(column), cell: Number(cell) };
  }
  if (type === "trace" && typeof file === "string") {
    return { type, file };
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
