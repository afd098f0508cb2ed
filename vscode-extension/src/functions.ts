// The functions of a Python text, as far as their lines tell.

/** A function or method, by the name that `ddl-lint trace FILE::NAME` takes. Lines count from 0. */
export interface PythonFunction {
  readonly name: string;
  readonly firstLine: number;
  /** The last line that is not blank. */
  readonly lastLine: number;
}

/** The functions and methods of a text; those inside of functions are parts of them. */
export function functionsOf(text: string): PythonFunction[] {
  const lines = text.split(/\r\n|\n|\r/);
  const functions: PythonFunction[] = [];
  let owner: string | undefined;
  lines.forEach((line, number) => {
    const definition = /^([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)/.exec(line);
    if (definition) {
      const [, indent = "", keyword, name = ""] = definition;
      const add = (known: string): void => {
        if (!functions.some((each) => each.name === known)) {
          functions.push({ name: known, firstLine: number, lastLine: lastLineOf(lines, number, indent.length) });
        }
      };
      if (keyword === "class") {
        owner = indent === "" ? name : owner;
      } else if (indent === "") {
        owner = undefined;
        add(name);
      } else if (owner !== undefined) {
        add(`${owner}.${name}`);
      }
    } else if (/^[^\s#)\]}]/.test(line) && !line.startsWith("@")) {
      owner = undefined;
    }
  });
  return functions;
}

/** The innermost function around a line. */
export function functionAt(functions: readonly PythonFunction[], line: number): PythonFunction | undefined {
  return functions.filter(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine).at(-1);
}

/** Where a definition ends: before the first line that starts as far left as it does, but for comments and brackets. */
function lastLineOf(lines: readonly string[], first: number, indent: number): number {
  let last = first;
  for (let number = first + 1; number < lines.length; number++) {
    const line = lines[number] ?? "";
    const start = line.search(/\S/);
    if (start >= 0 && start <= indent && !/^[#)\]}]/.test(line.slice(start))) {
      break;
    }
    last = start >= 0 ? number : last;
  }
  return last;
}
