import assert from "node:assert/strict";
import { test } from "node:test";
import { configuresUs, importsFramework, startsTraining } from "../../src/trainingCode";

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

test("a script that starts several processes is training code", () => {
  for (const text of [
    "#!/bin/bash\ntorchrun --nproc_per_node=8 train.py",
    "srun python -m torch.distributed.run train.py",
    'command: ["accelerate", "launch"]\nargs: accelerate launch train.py',
    "CMD deepspeed --num_gpus 8 train.py",
    "#SBATCH --job-name=x\n#SBATCH --gres=gpu:8\npython train.py",
  ]) {
    assert.ok(startsTraining(text), text);
  }
});

test("other scripts are let alone", () => {
  for (const text of [
    "#!/bin/bash\nrsync -a . host:/data",
    "pip install deepspeed-kernels",
    "#SBATCH --mem=4G\nbwa mem reference.fa",
    "kind: Deployment\nimage: nginx",
    "echo my-torchrun",
  ]) {
    assert.ok(!startsTraining(text), text);
  }
});
