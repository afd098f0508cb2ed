"""A small project and its logs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ddl_lint.diagnose import Answer, diagnose, read_code
from ddl_lint.registry import rules
from ddl_lint.registry.rules import Installed

TRAIN = """\
import torch
import torch.distributed as dist
from evaluation import validate


def main():
    dist.init_process_group("nccl")
    model = torch.nn.Linear(4, 4)
    model = torch.nn.parallel.DistributedDataParallel(model)
    for batch in range(100):
        loss = model(torch.ones(4)).sum()
        loss.backward()
    validate(model)
    dist.barrier()


if __name__ == "__main__":
    main()
"""

EVALUATION = """\
import torch
import torch.distributed as dist


def validate(model):
    total = torch.zeros(())
    if dist.get_rank() == 0:
        dist.broadcast(total, 0)
    if dist.get_rank() != 0:
        return total
    dist.all_reduce(total)
    return total
"""


@pytest.fixture(scope="session")
def installed() -> Installed:
    """The rules."""
    return rules.installed()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A script with a module, in which ranks part at two places."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "train.py").write_text(TRAIN)
    (folder / "evaluation.py").write_text(EVALUATION)
    return folder


@pytest.fixture
def ask(tmp_path: Path, project: Path, installed: Installed) -> Callable[..., Answer]:
    """What becomes of a log, by the project or by another folder."""

    def asked(log: str, code: Path | None = project) -> Answer:
        file = tmp_path / "job.log"
        file.write_text(log, encoding="utf-8")
        known = None if code is None else read_code(code, installed)
        return diagnose([str(file)], known, installed)

    return asked
