"""A small project with a fault that only two files together show."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent

# What stands before the fault on its line takes another number of bytes, UTF-16 units and code points each, and the
# form feed above it ends a line for some libraries, but for no editor.
CHECKPOINT = """\
\"\"\"Weights to disk.\"\"\"

import torch
\f

def save(model, epoch, path):
    torch.save({"läuft 🚀": epoch, "model": model.state_dict()}, path)
"""
TRAIN = """\
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from checkpoint import save


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    model = DistributedDataParallel(nn.Linear(8, 8).cuda(local_rank), device_ids=[local_rank])
    for epoch in range(3):
        model(torch.randn(4, 8, device="cuda")).sum().backward()
        if dist.get_rank() == 0:
            save(model, epoch, f"epoch_{epoch}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
"""

EVALUATE = """\
import torch
from torch import nn


def main():
    model = nn.Linear(8, 8)
    model.load_state_dict(torch.load("epoch_2.pt")["model"])
    print(model(torch.randn(4, 8)))


if __name__ == "__main__":
    main()
"""
"""What makes the fault a warning: a plain model is to read what is saved."""


class Project(NamedTuple):
    """A folder with the faulty project, and what the editor must make of it."""

    folder: Path
    target: Path
    other: Path
    mended: bytes
    title: str
    """The begin of the quick fix's name."""

    line: int
    """Where the finding is, from 0."""

    columns: dict[str, tuple[int, int]]
    """Where on the line, by the unit that is counted in."""

    environment: dict[str, str]
    """For the editor: finds ddl-lint, knows nothing of the user's own settings."""
