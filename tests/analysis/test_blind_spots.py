"""What a trace cannot see of how ranks meet is named in its verdict."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from ddl_lint.check import rank_questions
from ddl_lint.output.trace.verdict import verdict
from ddl_lint.project.config import Settings

_HEAD = """\
import torch, deepspeed
import torch.distributed as dist
dist.init_process_group("nccl")
x = torch.zeros(1)
"""
_ENGINE = """\
config = {"zero_optimization": {"stage": STAGE}, "train_micro_batch_size_per_gpu": 1}
engine, *_ = deepspeed.initialize(model=torch.nn.Linear(1, 1), config=config)
"""


@pytest.fixture
def limits(tmp_path: Path) -> Callable[[str], list[str]]:
    def run(program: str) -> list[str]:
        main = tmp_path / "main.py"
        main.write_text(_HEAD + textwrap.dedent(program), encoding="utf-8")
        traced = rank_questions.trace(main, Settings())
        found = verdict(traced.communication, traced.documents)
        assert found.text.startswith("No hang found in what was followed")
        return [limit.removeprefix("Not covered: ") for limit in found.limits]

    return run


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("dist.all_reduce(x)", []),
        ("for step in range(9):\n    dist.all_reduce(x)", []),
        ("step = 0\nwhile step < 9:\n    dist.all_reduce(x)\n    step += 1", []),
        (
            "from data import parts\nfor part in parts():\n    dist.all_reduce(x)\n"
            "for part in parts():\n    dist.barrier()",
            [
                "how often `for part in parts()` (main.py:6) and 1 more runs, which depends on data; "
                "taken to be the same on all ranks"
            ],
        ),
        ("from data import parts\nfor part in parts():\n    print(part)\ndist.barrier()", []),
        ("from away import sync_all\nsync_all(x)", ["what `sync_all` (main.py:6) does, which was not followed"]),
        (
            _ENGINE.replace("STAGE", "3") + "engine(x)",
            ["what the sharded `engine` (main.py:7) gathers inside its forward"],
        ),
        (_ENGINE.replace("STAGE", "1") + "engine(x)", []),
        (
            _ENGINE.replace("STAGE", "3") + "engine.generate(x)",
            [
                "how many steps `engine.generate` (main.py:7) takes on each rank; "
                "ranks that end early leave the others waiting"
            ],
        ),
    ],
)  # fmt: skip
def test_what_is_not_covered(limits: Callable[[str], list[str]], program: str, told: list[str]):
    assert limits(program) == told


def test_a_loop_until_the_loss_is_small(limits: Callable[[str], list[str]]):
    step = "    out = engine(x)\n    engine.backward(out.loss)\n    loss = out.loss.item()\n"
    (told,) = limits(_ENGINE.replace("STAGE", "1") + "loss = 9.0\nwhile loss > 1:\n" + step)
    assert told.startswith("how often `while loss > 1` (main.py:8) runs")
