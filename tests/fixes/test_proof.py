"""A fix is safe only where that can be proved: programs in which the same fix is safe, is not, or would not work."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from ddl_lint.check.engine import check_project
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Applicability
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import load_rules


def _found(folder: Path, rule: str, files: dict[str, str]) -> Diagnostic:
    """The one finding of a rule in a program."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    settings = Settings(pedantic=True, preview=True, root=folder)
    report = check_project([folder / name for name in files], lambda _: settings, load_rules())
    assert not report.problems
    return next(each for each in report.findings if each.name == rule)


def _is_safe(finding: Diagnostic) -> bool:
    return finding.fix is not None and finding.fix.applicability is Applicability.SAFE


def _reason(finding: Diagnostic) -> str:
    """Why a fix is not safe; empty for a safe one, and for none."""
    return finding.fix.reason if finding.fix is not None else ""


# --- keyword arguments ------------------------------------------------------------------------------------------------

_MAKES = """
    import os
    import torch.distributed as dist

    def main(options):
        dist.init_process_group("gloo")
        if not os.path.exists("out"):
            os.makedirs({arguments})
        dist.destroy_process_group()

    main(dict(mode=0o755))
"""


def test_a_keyword_that_nothing_else_gives_is_safe(tmp_path: Path) -> None:
    found = _found(tmp_path, "unguarded-filesystem-write", {"train.py": _MAKES.format(arguments='"out", mode=0o755')})
    assert _is_safe(found)


def test_a_keyword_beside_a_dict_of_unknown_keys_is_not_safe(tmp_path: Path) -> None:
    found = _found(tmp_path, "unguarded-filesystem-write", {"train.py": _MAKES.format(arguments='"out", **options')})
    assert not _is_safe(found)


_LOSS = """
    import torch
    from megatron import mpu


    def loss_func(loss_mask, output_tensor):
        losses = output_tensor.float().view(-1)
        tokens = loss_mask.sum()
        torch.distributed.all_reduce(tokens)
        loss = torch.sum(losses * loss_mask.view(-1)) / tokens
        return loss, {"lm loss": loss / mpu.get_data_parallel_world_size()}
"""
_GROUPS = """
    def get_data_parallel_group({parameters}):
        ...


    def get_data_parallel_world_size():
        ...
"""


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ("", "`get_data_parallel_group` (initialize.py) has no parameter `with_context_parallel`"),
        ("with_context_parallel=False", ""),
        ("*, with_context_parallel=False", ""),
    ],
)
def test_a_function_of_the_project_takes_what_it_is_given(parameters: str, reason: str, tmp_path: Path) -> None:
    files = {
        "train.py": _LOSS,
        "megatron/__init__.py": "",
        "megatron/mpu/__init__.py": "from .initialize import get_data_parallel_group, get_data_parallel_world_size\n",
        "megatron/mpu/initialize.py": _GROUPS.format(parameters=parameters),
    }
    found = _found(tmp_path, "megatron-world-group-collective", files)
    assert found.unfixable == reason
    assert (found.fix is None) is bool(reason)


# --- attributes -------------------------------------------------------------------------------------------------------

_NET = """
    from torch import nn
    from base import Base

    class Net({base}):
        def __init__(self):
            super().__init__()
            self.head = nn.Linear(4, 4)

        def forward(self, x):
            return self.head(x)
"""
_TRAIN = """
    import os
    import torch
    import torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel as DDP
    from net import Net

    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    model = DDP(Net().cuda())
    model.restore("net.pt")
    dist.destroy_process_group()
"""


def _asked(folder: Path, base: str, text: str) -> Diagnostic | None:
    files = {"train.py": _TRAIN, "net.py": _NET.format(base=base), "base.py": text}
    try:
        return _found(folder, "wrapped-attribute-access", files)
    except StopIteration:
        return None  # nothing is said where the model surely has it neither


def test_a_method_of_the_class_is_asked_of_it(tmp_path: Path) -> None:
    base = "from torch import nn\n\nclass Base(nn.Module):\n    def restore(self, path): ...\n"
    found = _asked(tmp_path, "Base", base)
    assert found is not None and _is_safe(found)


@pytest.mark.parametrize("base", ["nn.Module", "Base"])
def test_a_method_that_the_class_lacks_is_not(base: str, tmp_path: Path) -> None:
    found = _asked(tmp_path, base, "from torch import nn\n\nclass Base(nn.Module):\n    pass\n")
    assert found is None or found.fix is None


def test_a_method_that_a_base_out_of_sight_may_have_is_not_safe(tmp_path: Path) -> None:
    found = _asked(tmp_path, "Base", "from models import Hub\n\nclass Base(Hub):\n    pass\n")
    assert found is None or not _is_safe(found)


_CLIPS = """
    import os
    import argparse
    import torch
    import torch.distributed as dist
    from torch.distributed.fsdp import FullyShardedDataParallel
    from torch import nn

    def train(model):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(10):
            optimizer.zero_grad()
            model(torch.ones(1, 4).cuda()).sum().backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
            optimizer.step()

    def main():
        dist.init_process_group("nccl")
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        train(FullyShardedDataParallel(nn.Linear(4, 4).cuda()))
        dist.destroy_process_group()

    if __name__ == "__main__":
        parser = argparse.ArgumentParser()
        parser.add_argument("--distributed", action="store_true")
        args = parser.parse_args()
        {start}
"""


@pytest.mark.parametrize(
    ("start", "is_safe"),
    [("main()", True), ("main() if args.distributed else train(nn.Linear(4, 4).cuda())", False)],
)
def test_another_caller_may_bring_another_object(start: str, is_safe: bool, tmp_path: Path) -> None:
    found = _found(tmp_path, "fsdp-clip-grad-norm", {"train.py": _CLIPS.format(start=start)})
    assert _is_safe(found) is is_safe


# --- process groups ---------------------------------------------------------------------------------------------------

_NERSC = """
    import argparse
    import torch

    def train():
        torch.distributed.all_reduce(torch.ones(1).cuda())

    if __name__ == "__main__":
        parser = argparse.ArgumentParser()
        parser.add_argument("--distributed", action="store_true")
        args = parser.parse_args()
        if args.distributed:
            torch.distributed.init_process_group("nccl")
            rank = torch.distributed.get_rank()
        train()
"""


def test_a_group_ends_after_its_last_use(tmp_path: Path) -> None:
    found = _found(tmp_path, "distributed-shutdown-missing", {"train.py": _NERSC})
    assert found.fix is not None
    assert min(edit.location.start for edit in found.fix.edits) > dedent(_NERSC).rindex("train()")


_DATA = """
    import torch
    import torch.distributed as dist
    from torchvision import datasets

    def dataset(train):
        return datasets.MNIST("data", train=train, download=True)

    def main():
        dist.init_process_group("gloo")
        train = dataset(True)
        {test}
        dist.destroy_process_group()

    main()
"""


@pytest.mark.parametrize(
    ("test", "is_offered"),
    [
        ("test = dataset(False)", True),
        ("test = dataset(False) if dist.get_rank() == 0 else None", False),
    ],
)
def test_no_collective_where_only_some_ranks_come(test: str, is_offered: bool, tmp_path: Path) -> None:
    found = _found(tmp_path, "unguarded-filesystem-write", {"train.py": _DATA.format(test=test)})
    assert (found.fix is not None) is is_offered
    assert ("only some ranks call `dataset`" in found.unfixable) is not is_offered


def test_an_object_is_not_created_twice_to_download_once(tmp_path: Path) -> None:
    own = """
    class Digits(datasets.MNIST):
        def __init__(self, train):
            super().__init__("data", train=train, download=True)

    def dataset(train):
        return Digits(train)
"""
    start, end = _DATA.index("    def dataset"), _DATA.index("    def main")
    text = _DATA[:start] + own.lstrip("\n") + "\n" + _DATA[end:]
    found = _found(tmp_path, "unguarded-filesystem-write", {"train.py": text.format(test="pass")})
    assert found.unfixable == "the dataset downloads while it is created, which it cannot be twice"


# --- numbers of processes ---------------------------------------------------------------------------------------------

_BATCH = """\
    #!/bin/bash
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    #SBATCH --gres=gpu:4
    {setting}
    srun torchrun --nnodes=2 --nproc_per_node={processes} --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 train.py
"""
_SCRIPT = """
    import os
    import torch.distributed as dist

    dist.init_process_group("nccl")
    print({printed})
    dist.destroy_process_group()
"""


@pytest.mark.parametrize(
    ("setting", "processes"),
    [
        ("GPUS=$SLURM_NTASKS_PER_NODE", "$GPUS"),
        ("", "$SLURM_NTASKS_PER_NODE"),
        ("GPUS=$((SLURM_NTASKS_PER_NODE * 1))", "$GPUS"),
        ("TASKS=${SLURM_NTASKS_PER_NODE}; GPUS=$TASKS", "$GPUS"),
    ],
)
def test_a_number_that_another_command_is_given_stays(setting: str, processes: str, tmp_path: Path) -> None:
    files = {
        "job.sbatch": _BATCH.format(setting=setting, processes=processes),
        "train.py": _SCRIPT.format(printed="0"),
    }
    assert _found(tmp_path, "srun-torchrun-many-tasks", files).fix is None


def test_a_number_that_nothing_else_reads_is_safely_changed(tmp_path: Path) -> None:
    files = {"job.sbatch": _BATCH.format(setting="", processes="4"), "train.py": _SCRIPT.format(printed="0")}
    assert _is_safe(_found(tmp_path, "srun-torchrun-many-tasks", files))


def test_a_number_that_the_script_asks_for_is_not_safely_changed(tmp_path: Path) -> None:
    printed = 'os.environ["SLURM_NTASKS_PER_NODE"]'
    files = {"job.sbatch": _BATCH.format(setting="", processes="4"), "train.py": _SCRIPT.format(printed=printed)}
    assert not _is_safe(_found(tmp_path, "srun-torchrun-many-tasks", files))


_DEVICES = """\
    #!/bin/bash
    export CUDA_VISIBLE_DEVICES=0,1
    {setting}
    torchrun --nproc_per_node={processes} train.py
    {more}
"""


@pytest.mark.parametrize(
    ("setting", "processes", "more", "reason"),
    [
        ("", "4", "", ""),
        ("COUNT=4", "$COUNT", "", ""),
        ("COUNT=4", "$COUNT", "python merge.py --parts $COUNT", "line 5"),
        ("COUNT=4", "$COUNT", 'echo "$COUNT processes"', "line 5"),
    ],
)
def test_a_number_is_safely_changed_for_its_one_reader(
    setting: str, processes: str, more: str, reason: str, tmp_path: Path
) -> None:
    files = {
        "job.sh": _DEVICES.format(setting=setting, processes=processes, more=more),
        "train.py": _SCRIPT.format(printed="0"),
    }
    found = _found(tmp_path, "nproc-exceeds-visible-devices", files)
    told = _reason(found) or found.unfixable
    assert reason in told
    assert bool(reason) is ("depends on this number, too" in told)


# --- settings ---------------------------------------------------------------------------------------------------------

_EXPORTS = """\
    #!/bin/bash
    export NCCL_BLOCKING_WAIT=1
    {other}
    torchrun --nproc_per_node=2 train.py
"""


@pytest.mark.parametrize(("other", "is_set"), [("", False), ("export TORCH_NCCL_BLOCKING_WAIT=1", True)])
def test_a_variable_is_not_set_twice(other: str, is_set: bool, tmp_path: Path) -> None:
    files = {
        "job.sh": _EXPORTS.format(other=other),
        "train.py": _SCRIPT.format(printed="0"),
        "requirements.txt": "torch==2.3.0\n",
    }
    try:
        found = _found(tmp_path, "nccl-env-renamed-or-unknown", files)
    except StopIteration:
        assert is_set
        return
    assert (found.fix is None) is is_set
    assert found.unfixable == ("`TORCH_NCCL_BLOCKING_WAIT` is set here as well" if is_set else "")
