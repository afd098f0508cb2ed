"""What a hook waits for: starting up, one small file, one long file in a project."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from benchmarks.generated import FILES, make_project
from benchmarks.processes import Usage, run
from benchmarks.rounds import in_turn
from benchmarks.tables import figure, section, table
from benchmarks.tools import OURS, Checks, Tool

_LINES = 1_000
_SMALL = '''"""Trains on all GPUs of a node."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def main():
    dist.init_process_group("nccl")
    device = torch.device("cuda", dist.get_rank())
    model = DistributedDataParallel(torch.nn.Linear(8, 8).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        model(torch.randn(4, 8, device=device)).sum().backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
'''


def measure(tools: Sequence[Tool], rounds: int, seconds: float) -> str:
    """The table of all tools."""
    columns = version, first, small_cold, small_warm, long_cold, long_warm = (
        "`--version`", "small file, first run", "small file, cold", "small file, warm",
        f"{_LINES:,} lines, cold", f"{_LINES:,} lines, warm",
    )  # fmt: skip
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory())).resolve()
        for name in ("small", "project"):
            (folder / name).mkdir()
        small = folder / "small" / "train.py"
        small.write_text(_SMALL)
        long = make_project(folder / "project", [_LINES])[_LINES]
        runs: dict[tuple[str, str], Callable[[], Usage]] = {}
        for tool in tools:
            for cold, warm, file in ((small_cold, small_warm, small), (long_cold, long_warm, long)):
                checks = Checks(tool, file, stack)
                runs[tool.name, cold] = checks.cold
                if tool.has_cache:
                    runs[tool.name, warm] = checks.warm
            runs[tool.name, version] = partial(_version, tool)
        runs[OURS.name, first] = partial(_first, OURS, small)
        python = ("python", "start")
        runs[python] = partial(run, (sys.executable, "-c", "pass"))
        found = in_turn(runs, rounds, seconds)
    cells = {key: figure(series.cpu) for key, series in found.items()}
    rows = [(tool.label, *(cells.get((tool.name, column), "") for column in columns)) for tool in tools]
    text = (
        f"CPU seconds of whole processes. The small file has {_SMALL.count(chr(10))} lines; the long one stands in a "
        f"project of {FILES} files. The first run finds no stored API models either. `python -c pass` takes "
        f"{figure(found[python].cpu)} s."
    )
    return section("Starting, and one file", text, table(("tool", *columns), rows))


def _version(tool: Tool) -> Usage:
    with tempfile.TemporaryDirectory() as cache:
        return tool.start(Path(cache))


def _first(tool: Tool, file: Path) -> Usage:
    with tempfile.TemporaryDirectory() as cache:
        return tool.check(file, Path(cache))
