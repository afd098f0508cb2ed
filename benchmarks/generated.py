"""A made-up project in which people type: training scripts of any length, and the modules that they use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

FILES = 200
USERS = range(1, 150, 3)
"""The numbers of the modules that use the helper, 50 of them."""

HELPER = Path("parts", "scaling.py")
HELPING = "    bound = 4.0  # edited here\n"
EDITED = "    scale = 0.125  # edited here\n"
IMPORTED = "from parts.block_003 import forward_003\n"
"""Lines to edit: of the helper, of a function of a script, of its imports. The last digit of the code changes."""


def part(number: int) -> str:
    """A module of the model's parts, which imports its neighbour."""
    before = f"from parts.block_{number - 1:03} import forward_{number - 1:03}\n" if number % 10 else ""
    if number in USERS:
        before += "from parts.scaling import scaled\n"
    call = f"forward_{number - 1:03}(x)" if number % 10 else "x"
    if number in USERS:
        call = f"scaled({call})"
    return f'''"""Part {number} of the model."""

import torch
from torch import nn

{before}
class Block{number:03}(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.mix = nn.Linear(width, width)

    def forward(self, x):
        return x + self.mix(torch.relu(self.norm(x)))


def forward_{number:03}(x):
    return {call} * {1 + number / 100}
'''


SCALING = f'''"""What many parts of the model use."""

import torch


def scaled(x):
{HELPING}    return torch.clamp(x, -bound, bound)
'''

HEADER = f'''"""Trains the model on all GPUs."""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

from parts.block_001 import Block001
{IMPORTED}from parts.block_019 import Block019
from parts.block_077 import forward_077


def rank():
    return dist.get_rank() if dist.is_initialized() else 0


def log(text):
    if rank() == 0:
        print(text, flush=True)


def average(value):
    total = torch.tensor(float(value), device="cuda")
    dist.all_reduce(total)
    return total.item() / dist.get_world_size()
'''

STAGE = """

class Stage{n}(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = Block019(width)
        self.gate = nn.Linear(width, width)

    def forward(self, x):
        return self.inner(x) * torch.sigmoid(self.gate(x))


def augment_{n}(batch, strength):
    noise = torch.randn_like(batch) * strength
    mask = torch.rand(batch.shape[0], device=batch.device) < 0.5
    result = torch.where(mask[:, None], batch + noise, batch)
    if strength > 0.5:
        result = result.clamp(-3.0, 3.0)
    return result


def evaluate_{n}(model, loader, device):
    model.eval()
    loss, seen = 0.0, 0
    with torch.no_grad():
        for inputs, targets in loader:
            outputs = model(augment_{n}(inputs.to(device), 0.{n}))
            loss += nn.functional.mse_loss(outputs, targets.to(device), reduction="sum").item()
            seen += len(inputs)
    result = average(loss / max(seen, 1))
    log(f"stage {n}: {{result:.4f}}")
    model.train()
    return result
"""

FOOTER = f"""

def save(model, optimizer, path):
    torch.save({{"model": model.state_dict(), "optimizer": optimizer.state_dict()}}, path)


def warm_up(step):
{EDITED}    return min(1.0, (step + 1) * scale)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--width", type=int, default=64)
    args = parser.parse_args()
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    device = torch.device("cuda", local_rank)
    data = TensorDataset(torch.randn(4096, args.width), torch.randn(4096, args.width))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=32, sampler=sampler)
    model = nn.Sequential(Block001(args.width), STAGES).to(device)
    model = DistributedDataParallel(model, device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    step = 0
    for epoch in range(args.epochs):
        for inputs, targets in loader:
            optimizer.zero_grad()
            outputs = model(forward_077(forward_003(inputs.to(device))))
            loss = nn.functional.mse_loss(outputs, targets.to(device)) * warm_up(step)
            loss.backward()
            optimizer.step()
            step += 1
EVALUATIONS
        if rank() == 0:
            save(model, optimizer, f"epoch_{{epoch}}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
"""


def training_script(lines: int) -> str:
    """A script of about so many lines, with two faults: no `set_epoch`, and the state of the wrapper is saved."""
    fixed = HEADER.count("\n") + FOOTER.count("\n")
    count = (lines - fixed) // (STAGE.count("\n") + 1)  # each stage brings one line of `main` along
    stages = "".join(STAGE.format(n=number) for number in range(count))
    calls = "\n".join(f"        evaluate_{number}(model, loader, device)" for number in range(count))
    used = ", ".join(f"Stage{number}(args.width)" for number in range(0, count, max(count // 4, 1)))
    text = HEADER + stages + FOOTER.replace("STAGES", used).replace("EVALUATIONS", calls)
    return text + "# the end\n" * (lines - text.count("\n"))


def make_project(root: Path, lengths: Sequence[int]) -> dict[int, Path]:
    """200 files in an empty folder; returns the training scripts by their length."""
    (root / "pyproject.toml").write_text("[tool.ddl-lint]\n")
    (root / "parts").mkdir()
    (root / "parts" / "__init__.py").write_text("")
    (root / HELPER).write_text(SCALING)
    scripts = {lines: root / f"train_{lines}.py" for lines in lengths}
    for lines, path in scripts.items():
        path.write_text(training_script(lines))
    for number in range(FILES - len(scripts) - 2):
        (root / "parts" / f"block_{number:03}.py").write_text(part(number))
    return scripts
