"""Which ranks come to a line, and why the others do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ddl_lint.check import rank_questions
from ddl_lint.check.rank_questions import WhoRuns
from ddl_lint.output.trace.who import sentence
from ddl_lint.project.config import Settings

SCRIPT = """\
import sys
import torch
import torch.distributed as dist
from helpers import save

dist.init_process_group("gloo")
rank = dist.get_rank()
if rank == 0:
    print("first")
else:
    print("others")


def show(step):
    if rank != 0:
        return
    print(step)


for step in range(10):
    if len(sys.argv) > 1:
        print(step)
        continue
    show(step)
if torch.rand(1) > 0.5 and rank == 0:
    save(rank)
if rank > 0:
    sys.exit(0)
print("end")


def unused(x):
    # nothing is here
    return x
"""

HELPERS = """\
def save(number):
    print(number)


def load(number):
    if number:
        return 1
    return 2
"""


@pytest.fixture
def ask(tmp_path: Path) -> Callable[..., WhoRuns]:
    (tmp_path / "train.py").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "helpers.py").write_text(HELPERS, encoding="utf-8")

    def ask(text: str, file: str = "train.py") -> WhoRuns:
        lines = (tmp_path / file).read_text(encoding="utf-8").splitlines()
        number = next(number for number, line in enumerate(lines, 1) if text in line)
        return rank_questions.who_runs([tmp_path / "train.py"], tmp_path / file, number, Settings())

    return ask


def told(answer: WhoRuns) -> list[str]:
    (run,) = answer.runs
    return [sentence(visit, answer.documents) for visit in run.visits]


def test_a_guard(ask):
    assert told(ask('print("first")')) == [
        "rank 0 executes it",
        "the other ranks do not execute it: `rank == 0` (train.py:8) is False",
    ]


def test_the_other_arm(ask):
    assert told(ask('print("others")')) == [
        "rank 0 does not execute it: `rank == 0` (train.py:8) is True",
        "the other ranks execute it",
    ]


def test_the_head_of_a_block_means_its_first_statement(ask):
    assert told(ask("else:")) == told(ask('print("others")'))


def test_an_early_exit_and_a_loop(ask):
    skipped = "unless {} went on to the next iteration before (train.py:23), if `len(sys.argv) > 1` (train.py:21)"
    assert told(ask("    print(step)")) == [
        f"rank 0 executes it, {skipped.format('it')}",
        "the other ranks do not execute it: they returned before (train.py:16), if `rank != 0` (train.py:15)",
    ]


def test_a_uniform_condition(ask):
    assert told(ask("        print(step)")) == ["all ranks execute it, only if `len(sys.argv) > 1` (train.py:21)"]


def test_the_end_of_the_program(ask):
    assert told(ask('print("end")')) == [
        "rank 0 executes it",
        "the other ranks do not execute it: they ended the program before (train.py:28), if `rank > 0` (train.py:27)",
    ]


def test_a_helper_in_another_file(ask):
    answer = ask("print(number)", "helpers.py")
    assert [Path(run.path).name for run in answer.runs] == ["train.py"]
    first, others = told(answer)
    assert first == "rank 0 executes it, only if `torch.rand(1) > 0.5 and rank == 0` (train.py:25)"
    assert others.startswith("the other ranks do not execute it: `torch.rand(1) > 0.5 and rank == 0` (train.py:25) is ")


def test_a_function_that_no_script_calls(ask):
    answer = ask("return 1", "helpers.py")
    (run,) = answer.runs
    assert run.alone
    assert told(answer) == ["all ranks execute it, only if `number` (helpers.py:6)"]


@pytest.mark.parametrize("text", ["# nothing is here"])
def test_a_line_without_code(ask, text):
    answer = ask(text)
    assert not answer.is_code
    assert answer.runs == ()
