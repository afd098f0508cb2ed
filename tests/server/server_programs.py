"""Programs that the server is shown, and how it is started."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from raw_client import RawClient

COMMAND = [sys.executable, "-m", "ddl_lint", "server"]

SAVING = '''"""Keeps what was learnt."""

import torch


def keep(network, path):
    torch.save({"🚀": 1, "network": network.state_dict()}, path)
'''
FAULT = "network.state_dict()"

TRAINING = '''"""Learns."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from saving import keep


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    network = DistributedDataParallel(nn.Linear(4, 4).cuda(device), device_ids=[device])
    network(torch.randn(2, 4, device="cuda")).sum().backward()
    if dist.get_rank() == 0:
        keep(network, "weights.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
'''
WRAP = "DistributedDataParallel(nn.Linear(4, 4).cuda(device), device_ids=[device])"
UNWRAPPED = "nn.Linear(4, 4)"

SAMPLING = '''"""Learns from shuffled data."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    data = TensorDataset(torch.randn(64, 4))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    network = DistributedDataParallel(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    for epoch in range(3):
        for (batch,) in loader:
            network(batch).sum().backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
'''
"""Has one finding, with a safe fix."""

Start = Callable[..., RawClient]
"""What the fixtures `start` and `join` are."""

_RULE = """\
code: ODD101
name: odd-rule
summary: Does odd things to the process that checks
frameworks: [pytorch]
stage: training
symptom: others
fix_pattern: fix behavior logic
severity: warning
confidence: high
lifecycle: stable
since: "0.1.0"
covers: []
why: Because it can.
fix: {kind: none, advice: None., applicability: unsafe, reason: there is none}
silent_when: []
references: []
"""


def install_rule(folder: Path, check: str) -> str:
    """An installed package with one rule, of which this is the `check.py`; returns where it is installed."""
    rule_folder = folder / "odd_rules" / "training" / "odd_rule"
    rule_folder.mkdir(parents=True)
    for package in (rule_folder, *rule_folder.parents[:2]):
        (package / "__init__.py").touch()
    (rule_folder / "rule.yaml").write_text(_RULE)
    (rule_folder / "check.py").write_text(check)
    about = folder / "odd_rules-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: odd_rules\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[ddl_lint.rules]\nodd = odd_rules\n")
    return str(folder)


def with_installed(folder: str) -> dict[str, str]:
    """The variable that makes a server see what is installed there."""
    return {"PYTHONPATH": os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)}
