"""`ddl-lint events`: what rules see of a file, as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ddl_lint.commands import main as cli

SCRIPT = """\
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("nccl")
model = DistributedDataParallel(torch.nn.Linear(2, 3), device_ids=[dist.get_rank()])
for epoch in range(3):
    model(torch.zeros(2)).sum().backward()
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "a.pt")
"""
LIBRARY = """\
import torch.distributed as dist

def mean(x):
    dist.all_reduce(x)
"""

Seen = Callable[..., tuple[int, str, str]]


@pytest.fixture
def events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Seen:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(SCRIPT)
    (tmp_path / "library.py").write_text(LIBRARY)

    def run(*arguments: str) -> tuple[int, str, str]:
        return (cli.main(["events", *arguments]), *capsys.readouterr())

    return run


def test_events_are_shown_in_order_with_their_roles(events: Seen) -> None:
    _, out, _ = events("train.py", "--output-format", "json")
    (run,) = json.loads(out)["runs"]
    assert (run["file"], run["kind"], run["complete"]) == ("train.py", "script", True)
    kinds = [event["kind"] for event in run["events"]]
    expected = ["init_process_group", "wrap_model", "forward", "backward", "state_dict", "save"]
    assert [kind for kind in kinds if kind in expected] == expected
    wrap = next(event for event in run["events"] if event["kind"] == "wrap_model")
    assert wrap["place"] == "train.py:6"
    assert wrap["roles"] == {"model": "model#1", "device_ids": "[Rank(global)]"}
    assert wrap["api"] == "torch.nn.parallel.DistributedDataParallel"
    assert wrap["ranks"] == ["all ranks"]


def test_what_rules_call_objects_by_and_know_of_them(events: Seen) -> None:
    _, out, _ = events("train.py:6", "--output-format", "json")
    (run,) = json.loads(out)["runs"]
    wrap = next(event for event in run["events"] if event["kind"] == "wrap_model")
    objects = {made["name"]: made for made in run["objects"]}
    assert objects[wrap["result"]]["traits"]["wrapper"] == "'ddp'"
    assert objects[wrap["result"]]["given"]["model"] == wrap["roles"]["model"]
    assert objects[wrap["roles"]["model"]]["api"] == "torch.nn.Linear"


def test_conditions_and_the_ranks_that_come_to_a_line(events: Seen) -> None:
    _, out, _ = events("train.py:10")
    assert "save  torch.save  train.py:10\n    object = state_dict#" in out
    assert "branch `dist.get_rank() == 0` (train.py:9) is True [by_rank]\n    executed by: rank 0\n" in out
    assert "wrap_model" not in out


def test_functions_that_nothing_calls_are_shown_by_themselves(events: Seen) -> None:
    _, out, _ = events("library.py")
    assert out.startswith("library.py (library, by itself, with unknown arguments)\n")
    assert "collective  torch.distributed.all_reduce  library.py:4" in out


def test_a_line_is_shown_as_the_script_that_imports_its_file_comes_to_it(events: Seen, tmp_path: Path) -> None:
    call = "from library import mean\nimport torch\nmean(torch.ones(3))\n"
    (tmp_path / "main.py").write_text(call)
    _, out, _ = events("library.py:4")
    assert out.startswith("main.py (script)\n")


@pytest.mark.parametrize("target", ["train.py:7", "nothing.py", "."])
def test_where_there_is_nothing_to_show(events: Seen, target: str) -> None:
    code, out, err = events(target)
    assert (code, out) == (2, "")
    assert target.partition(":")[0] in err
