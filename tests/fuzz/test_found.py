"""Inputs that showed a fault of ours once, as small as they could be made."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz_inputs import faults_of_file, faults_of_fixes, faults_of_script

pytestmark = pytest.mark.slow

SCRIPTS = {
    "an arm that does nothing": "import horovod.torch as hvd\nif rank:\n      pass\nelse:\n    hvd.init()\n",
    "what libcst parses and does not take": 'import a.d"""istributed as dist\n    return* nn.Sequential(nn.ReLU())\n',
    "a function that is cut short": (
        "import torch.distributed as dist\nfrom torch.nn.parallel import DistributedDataParallel as DDP\ndef main():\n"
        "    dist.init_process_group('nccl')\nt_device(local_rank)\n"
        "    model = DDP(torch.nn.Linear(8, 8).cuda(), device_ids=[local_rank])\n    print(model)\n"
    ),
    "a list that is given something by name": (
        "import torch\nfrom accelerate import Accelerator\naccelerator = Accelerator()\nguesses = []\n"
        "with torch.no_grad():\n    guesses.append(a0=accelerator.gather(torch.ones(1)))\n"
    ),
    "a parameter server that leaves": (
        "import tensorflow.compat.v1 as tf\ndef main():\n"
        "    server = tf.train.Server(cluster, job_name=job, task_index=index)\n"
        "    if job == 'ps':\n        return\n        server.join()\n"
        "    with tf.train.MonitoredTrainingSession(master=server.target) as session:\n        session.run(train)\n"
        "main()\n"
    ),
    "a tensor that is its own data": (
        "import horovod.torch as hvd\nimport torch\nhvd.init()\nfor epoch in range(9):\n    if epoch % 3 == 0:\n"
        "        torch.save(torch.Tensor([0.5]), 'loss.pt')\n"
    ),
    "a tensor that is computed from itself again and again": (
        "import torch\nimport torch.distributed as dist\ndist.init_process_group('gloo')\ntotal = torch.ones(2)\n"
        + "total = total + total\n" * 40
        + "torch.save(total, 'total.pt')\n"
    ),
    "a loader whose sampler is made of the loader": (
        "import torch\nimport torch.distributed as dist\nfrom torch.utils.data import DataLoader, RandomSampler\n"
        "class Loader(DataLoader):\n    def __init__(self, data):\n"
        "        super().__init__(data, sampler=RandomSampler(self))\n"
        "dist.init_process_group('gloo')\nloader = Loader(torch.ones(8))\ntorch.save(loader, 'loader.pt')\n"
        "model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(1, 1))\n"
        "for epoch in range(2):\n    for batch in loader:\n        model(batch).sum().backward()\n"
    ),
    "a data set whose length is that of itself": (
        "import torch\nimport torch.distributed as dist\nfrom torch.utils.data import DataLoader, Dataset\n"
        "class Share(Dataset):\n    def __init__(self, rows):\n        self.rows, self.whole = rows, self\n"
        "    def __len__(self):\n        return len(self.whole)\n"
        "dist.init_process_group('gloo')\nrows = torch.chunk(torch.ones(9), dist.get_world_size())[dist.get_rank()]\n"
        "model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(1, 1))\n"
        "for batch in DataLoader(Share(rows)):\n    model(batch).sum().backward()\n"
    ),
}
FIXED = {
    "two fixes that are good apart": (
        "import torch.distributed as dist\nfrom torch.nn.parallel import DistributedDataParallel as DDP\n"
        "class Settings:\n    if dist.get_rank() == 0:\n        dist.init_process_group('nccl')\n"
        "        net = DDP(make_model(settings.species).to(device), device_ids=[local_rank])\n"
        "        if dist.get_rank() == 0:\n            torch.save({'net': net.module.state_dict(), 'epoch': epoch}, "
        "settings.checkpoint)\n"
        "    dist.destroy_process_group()\nif __name__ == '__main__':\n    main()\n"
    ),
    "two fixes that take back each other": (
        "import horovod.tensorflow.keras as hvd\nimport tensorflow as tf\ndef main():\n    hvd.init()\n"
        "    dataset = tf.data.Dataset.from_tensor_slices((signals, states))\nif __name__ == '__main__':\n"
        "    tf.config.set_visible_devices(gpus[hvd.local_rank()], 'GPU')\n    main()\n"
    ),
}
FILES = {
    "a name that no file has": ("run.sh", "torchrun --nnodes 2 --nproc-per-node 8 tr\x00ain.py\n"),
}


@pytest.mark.parametrize("what", FIXED)
def test_fixes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str):
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(tmp_path / "cache"))
    assert faults_of_fixes(tmp_path, FIXED[what]) == ""


@pytest.mark.parametrize("what", SCRIPTS)
def test_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str):
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(tmp_path / "cache"))
    assert faults_of_script(tmp_path, SCRIPTS[what]) == ""
    assert faults_of_fixes(tmp_path, SCRIPTS[what]) == ""


@pytest.mark.parametrize("what", FILES)
def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str):
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "project").mkdir()
    assert faults_of_file(tmp_path / "project", *FILES[what]) == ""
