"""What is true and of no consequence is an info, not what breaks a build."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.check.engine import check_project
from ddl_lint.finding import Severity
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import load_rules

_FROZEN = "".join(f"package-{number}==1.{number}\n" for number in range(40))
_LABELLED = f"{_FROZEN}torch==2.8.0+cu128\n"
_OLD = "import torch\nprint 'loss'\n"
_HUB = "import torch\nimport deepspeed\n\ndeepspeed.init_distributed()\nprint(torch.distributed.get_rank())\n"
_ACCELERATE = "accelerate launch --config_file acc.yaml train.py\n"
_TEMPLATE = "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nnum_machines: 2\nnum_processes: 8\n"

_LOCAL_RANK = (
    "import argparse\nimport torch\n\nparser = argparse.ArgumentParser()\n"
    'parser.add_argument("--local_rank", type=int)\n'
    'torch.cuda.set_device(parser.parse_args().local_rank)\ntorch.distributed.init_process_group("nccl")\n'
)
_OLD_LAUNCHER = "python -m torch.distributed.launch --nproc_per_node=8 train.py\n"
_RUN_V2 = (
    "import tensorflow as tf\n\nstrategy = tf.distribute.MirroredStrategy()\n"
    "strategy.experimental_run_v2(lambda x: x, args=(1,))\n"
)
_COLOSSAL = "import colossalai\n\ncolossalai.launch_from_torch(config={})\n"

_CASES: dict[str, tuple[str, dict[str, str], list[Severity]]] = {
    "two records of environments": (
        "torch-wheel-unavailable",
        {
            "now.requirements.txt": f"{_FROZEN}torch==2.8.0+cu128\n",
            "requirements.txt": _LABELLED,
        },
        [Severity.INFO],
    ),
    "a frozen list that the image installs": (
        "torch-wheel-unavailable",
        {
            "requirements.txt": _LABELLED,
            "Dockerfile": "FROM python:3.11\nCOPY requirements.txt .\nRUN pip install -r requirements.txt\n",
        },
        [Severity.ERROR],
    ),
    "a frozen list that the page for people installs": (
        "wrong-pypi-package",
        {"requirements.txt": f"{_FROZEN}torch==2.8.0\napex==0.1\n", "README.md": "`pip install -r requirements.txt`\n"},
        [Severity.ERROR],
    ),
    "a short list that nothing names": (
        "wrong-pypi-package",
        {"requirements.txt": "torch\napex==0.1\n"},
        [Severity.ERROR],
    ),
    "a configuration that no launch names": ("accelerate-process-count", {"acc.yaml": _TEMPLATE}, [Severity.INFO]),
    "a configuration that a launch names": (
        "accelerate-process-count",
        {"acc.yaml": _TEMPLATE, "run.sh": _ACCELERATE, "train.py": "\n"},
        [Severity.ERROR],
    ),
    "a configuration that the page for people names": (
        "accelerate-process-count",
        {
            "acc.yaml": _TEMPLATE,
            "README.md": "```\naccelerate launch --config_file acc.yaml train.py\n```\n",
            "train.py": "",
        },
        [Severity.ERROR],
    ),
    "an undeclared library, and nothing installs the list": (
        "distributed-dependency-undeclared",
        {"requirements.txt": "torch\n", "run.sh": "deepspeed train.py\n", "train.py": _HUB},
        [Severity.INFO],
    ),
    "an undeclared library that the page for people names": (
        "distributed-dependency-undeclared",
        {
            "requirements.txt": "torch\n",
            "README.md": "`pip install -r requirements.txt`, then install DeepSpeed.\n",
            "run.sh": "deepspeed train.py\n",
            "train.py": _HUB,
        },
        [Severity.INFO],
    ),
    "an undeclared library, and the list is installed": (
        "distributed-dependency-undeclared",
        {
            "requirements.txt": "torch\n",
            "README.md": "`pip install -r requirements.txt`\n",
            "run.sh": "deepspeed train.py\n",
            "train.py": _HUB,
        },
        [Severity.WARNING],
    ),
    "an old name that is still read": (
        "nccl-env-renamed-or-unknown",
        {
            "requirements.txt": "torch==2.4.0\n",
            "run.sh": "export NCCL_ASYNC_ERROR_HANDLING=1\ntorchrun train.py\n",
            "train.py": "",
        },
        [Severity.INFO],
    ),
    "a project of Python 2": (
        "syntax-error",
        {"train.py": _OLD, "tools.py": _OLD, "new.py": "import torch\n"},
        [Severity.INFO],
    ),
    "a script of Python 2 that a launch starts": (
        "syntax-error",
        {"train.py": _OLD, "tools.py": _OLD, "run.sh": "torchrun train.py\n"},
        [Severity.INFO, Severity.ERROR],
    ),
    "an option of launchers, and no page names a release": (
        "local-rank-arg-mismatch",
        {"train.py": _LOCAL_RANK, "run.sh": _OLD_LAUNCHER, "README.md": "Needs PyTorch >= 1.8.\n"},
        [Severity.WARNING],
    ),
    "an option of launchers, and a page names a release": (
        "local-rank-arg-mismatch",
        {"train.py": _LOCAL_RANK, "run.sh": _OLD_LAUNCHER, "README.md": "```bash\npip install torch==1.9.1\n```\n"},
        [Severity.INFO],
    ),
    "an option of launchers, and another package is old": (
        "local-rank-arg-mismatch",
        {"train.py": _LOCAL_RANK, "run.sh": _OLD_LAUNCHER, "requirements.txt": "mmcv-full==1.4.0\n"},
        [Severity.INFO],
    ),
    "a page names a release, and a newer one is pinned": (
        "local-rank-arg-mismatch",
        {
            "train.py": _LOCAL_RANK,
            "run.sh": _OLD_LAUNCHER,
            "README.md": "Needs PyTorch 1.9.\n",
            "requirements.txt": "torch==2.1\n",
        },
        [Severity.ERROR],
    ),
    "a method that is gone, and a page names a release that has it": (
        "tf-removed-api",
        {"train.py": _RUN_V2, "README.md": "- Tensorflow GPU (2.0.0)\n"},
        [Severity.INFO],
    ),
    "a method that is gone, and a page names a release without it": (
        "tf-removed-api",
        {"train.py": _RUN_V2, "README.md": "- Tensorflow 2.8\n"},
        [Severity.WARNING],
    ),
    "a configuration that is gone, and a page names a release that takes it": (
        "colossalai-removed-api",
        {"train.py": _COLOSSAL, "README.md": "`pip install colossalai==0.2.0`\n"},
        [Severity.INFO],
    ),
    "both names of a renamed variable": (
        "nccl-env-renamed-or-unknown",
        {
            "run.sh": "export NCCL_BLOCKING_WAIT=1\nexport TORCH_NCCL_BLOCKING_WAIT=1\ntorchrun train.py\n",
            "train.py": "",
        },
        [],
    ),
}


@pytest.mark.parametrize("name", _CASES)
def test_severity(name: str, tmp_path: Path) -> None:
    rule, files, wanted = _CASES[name]
    (tmp_path / ".git").mkdir()
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    report = check_project([tmp_path / path for path in files], lambda _: Settings(pedantic=True), load_rules())
    found = [finding.severity for finding in report.findings if finding.name == rule]
    assert sorted(found) == sorted(wanted)


@pytest.mark.parametrize("read", ["GPUS=$SLURM_NTASKS_PER_NODE\n", ""])
def test_a_number_of_tasks_that_something_reads_is_not_changed(read: str, tmp_path: Path) -> None:
    head = "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n#SBATCH --gres=gpu:4\n"
    (tmp_path / "job.sbatch").write_text(f"{head}{read}srun torchrun --nnodes=2 --nproc_per_node=4 train.py\n")
    (tmp_path / "train.py").write_text("")
    report = check_project([tmp_path / "job.sbatch"], lambda _: Settings(), load_rules())
    (found,) = (finding for finding in report.findings if finding.name == "srun-torchrun-many-tasks")
    assert (found.fix is None) is bool(read)
