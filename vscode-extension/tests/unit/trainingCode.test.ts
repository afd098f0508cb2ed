import assert from "node:assert/strict";
import { test } from "node:test";
import { configuresUs, importsFramework } from "../../src/trainingCode";

test("training code is told by its imports", () => {
  for (const text of [
    "import torch",
    "from torch.nn.parallel import DistributedDataParallel",
    "import os, sys, deepspeed",
    "def main():\n    import horovod.torch as hvd\n",
    "try:\r\n\tfrom megatron.core import mpu\r\n",
    "import os\nfrom transformers import Trainer",
  ]) {
    assert.ok(importsFramework(text), text);
  }
});

test("other code is let alone", () => {
  for (const text of [
    "import os\nimport json",
    "# import torch\nx = 'import torch'",
    "import torchlight",
    "from rayon import x",
    "from . import torch_utils",
    "important = torch",
  ]) {
    assert.ok(!importsFramework(text), text);
  }
});

test("a long text without line ends is searched in no time", () => {
  assert.ok(!importsFramework("import " + "a, ".repeat(100_000)));
});

test("a pyproject.toml may configure ddl-lint", () => {
  assert.ok(configuresUs('[project]\nname = "x"\n[tool.ddl-lint]\n'));
  assert.ok(configuresUs("[tool.ddl-lint.severity]\n"));
  assert.ok(!configuresUs("[tool.ruff]\n# [tool.ddl-lint]\n"));
});
