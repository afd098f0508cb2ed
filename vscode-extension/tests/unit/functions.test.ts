import assert from "node:assert/strict";
import { test } from "node:test";
import { functionAt, functionsOf } from "../../src/functions";

test("functions and methods are found under the names that trace takes", () => {
  const text = [
    "import torch",
    "def setup(rank): ...",
    "async def serve():",
    "    def inner(): ...",
    "class Trainer(Base):",
    "    @property",
    "    def model(self): ...",
    "    async def fit(self):",
    "        pass",
    "if __name__ == '__main__':",
    "    def hidden(): ...",
    "def last(): ...",
  ].join("\r\n");
  const functions = functionsOf(text);
  const names = functions.map(({ name }) => name);
  assert.deepEqual(names, ["setup", "serve", "Trainer.model", "Trainer.fit", "last"]);
});

test("the function around a line is the innermost one that can be traced", () => {
  const text = [
    "import torch", // 0
    "",
    "def setup(", // 2
    "    rank,",
    "):",
    "    # the group",
    "# not indented",
    "    def inner():",
    "        pass", // 8
    "",
    "class Trainer:", // 10
    "    def fit(self):",
    "        pass",
    "",
    "    def test(self): ...", // 14
    "print()",
  ].join("\n");
  const functions = functionsOf(text);
  const at = (line: number): string => functionAt(functions, line)?.name ?? "";
  assert.deepEqual([2, 4, 6, 8, 12, 14].map(at), ["setup", "setup", "setup", "setup", "Trainer.fit", "Trainer.test"]);
  assert.deepEqual([0, 9, 10, 13, 15, 99].map(at), ["", "", "", "", "", ""]);
});
