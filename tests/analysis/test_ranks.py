"""The rank analysis on small functions: who waits where, and who does not get there."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import pytest

from ddl_lint.analysis.ranks.divergence import divergences
from ddl_lint.analysis.ranks.evaluator import Bindings, Evaluator
from ddl_lint.analysis.ranks.processes import by_signature, job
from ddl_lint.analysis.ranks.timeline import timeline
from ddl_lint.analysis.values.conditions import solve, truth_given
from ddl_lint.analysis.values.tags import tags_of
from ddl_lint.program.values import (
    FALSE,
    TRUE,
    Alternatives,
    Apply,
    Const,
    Items,
    Rank,
    Setting,
    Unknown,
    Value,
    WorldSize,
)

_HEAD = """
import sys
import torch
import torch.distributed as dist

def helper(x):
    dist.all_reduce(x)

def optional(x, sync):
    if sync:
        dist.all_reduce(x)

def task(x, y, flag, other, data):
"""

_MAIN = ("rank 0", "the other ranks")
_LAST = ("the last rank", "the other ranks")

Parted = Callable[[str], list[tuple[str, str, str, str]]]


@pytest.fixture
def parted(follow_project: Callable[..., Any], api: Any) -> Parted:
    """The divergences in the body of a function: kind, call, who waits in it, who does not get there."""

    def parts(body: str) -> list[tuple[str, str, str, str]]:
        followed = follow_project(_HEAD + textwrap.indent(textwrap.dedent(body), "    "))
        return [
            (each.kind, each.step.name, each.reaching.title, each.lacking.title)
            for run in followed.views
            for each in divergences(timeline(run, api))
            if "task" in {node.function.name for node in each.step.context.chain() if node.function is not None}
        ]

    return parts


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if dist.get_rank() == 0: dist.barrier()", ("guard", "barrier", "rank 0", "the other ranks")),
        ("if dist.get_rank() != 0: dist.barrier()", ("guard", "barrier", "the other ranks", "rank 0")),
        ("if dist.get_rank() > 0: helper(x)", ("guard", "all_reduce", "the other ranks", "rank 0")),
        ("if dist.get_rank() % 2: dist.barrier()", ("guard", "barrier", "the odd ranks", "the even ranks")),
        ("if dist.get_rank() in (0, 1): dist.barrier()", ("guard", "barrier", "ranks 0 and 1", "the other ranks")),
        ("if dist.get_rank() == dist.get_world_size() - 1: dist.barrier()", ("guard", "barrier", *_LAST)),
        ("if dist.get_rank() == 3: return\ndist.barrier()", ("exit", "barrier", "the other ranks", "rank 3")),
        ("if dist.get_rank(): sys.exit()\ndist.barrier()", ("exit", "barrier", "rank 0", "the other ranks")),
        ("dist.get_rank() == 0 and dist.barrier()", ("guard", "barrier", "rank 0", "the other ranks")),
        ("dist.barrier() if dist.get_rank() else None", ("guard", "barrier", "the other ranks", "rank 0")),
        ("while dist.get_rank() == 0: dist.barrier()", ("guard", "barrier", "rank 0", "the other ranks")),
        ("for _ in range(dist.get_rank()): dist.barrier()", ("guard", "barrier", "the other ranks", "rank 0")),
        ("for _ in range(dist.get_rank() + 1): dist.barrier()", ("guard", "barrier", "rank 0", "the other ranks")),
        ("for i in data:\n  helper(x)\n  if dist.get_rank() == 0 and i: break", ("exit", "end of loop", *_MAIN)),
        ("for i in data:\n  if dist.get_rank(): continue\n  helper(x)", ("exit", "all_reduce", *_MAIN)),
        ("if flag or dist.get_rank() == 0: helper(x)", ("guard", "all_reduce", *_MAIN)),
        ("if flag and dist.get_rank() == 0: helper(x)", ("guard", "all_reduce", "rank 0", "the other ranks")),
        ("if flag:\n  if other: return\n  if dist.get_rank(): return\nhelper(x)", ("exit", "all_reduce", *_MAIN)),
        ("if dist.get_rank() == 0:\n  helper(x)\n  dist.barrier()\nelse:\n  dist.barrier()\n  helper(x)",
         ("order", "all_reduce", *_MAIN)),
        ("if flag(dist.get_rank()): print(x)\nif dist.get_rank() == 0: helper(x)", ("guard", "all_reduce", *_MAIN)),
        ("if dist.get_rank() == 0:\n  y.gather_all()\n  helper(x)", ("guard", "all_reduce", *_MAIN)),
        ("while flag():\n  if dist.get_rank(): continue\n  helper(x)", ("exit", "all_reduce", *_MAIN)),
        ("if dist.get_rank() == 0: helper(x)\nelse: dist.barrier()", ("order", "all_reduce", *_MAIN)),
        ("stop = False\nif dist.get_rank() == 0: stop = flag()\nif stop: dist.barrier()",
         ("value", "barrier", "rank 0", "the other ranks")),
        ("r = dist.get_node_local_rank()\nif dist.get_rank() and r == 0: dist.barrier()",
         ("guard", "barrier", "the first rank of the other nodes", "rank 0")),
    ],
)  # fmt: skip
def test_parted(parted: Parted, body: str, expected: tuple[str, str, str, str]) -> None:
    found = parted(body)
    if expected[2].startswith("the first rank"):
        assert [(kind, step) for kind, step, _, _ in found] == [expected[:2]]
        assert "first rank" in found[0][2] + found[0][3]
    else:
        assert found == [expected]


@pytest.mark.parametrize(
    "body",
    [
        "helper(x)",
        "if flag: helper(x)",
        "if dist.get_rank() == 0: helper(x)\nelse: helper(y)",
        "if dist.get_rank(): dist.barrier()\nprint(x)\nif dist.get_rank() == 0: dist.barrier()",
        "if flag and dist.get_rank(): dist.barrier()\nif flag and dist.get_rank() == 0: dist.barrier()",
        "if not flag and dist.get_rank(): return\nif flag: helper(x)",
        "if dist.get_rank(): raise ValueError\nhelper(x)",
        "if dist.get_rank(): sys.exit(1)\nhelper(x)",
        "assert dist.get_rank() == 0\nhelper(x)",
        "if dist.get_rank() == 0: optional(x, flag)",
        "if dist.get_rank() == 0: optional(x, False)",
        "if flag or dist.get_rank() == 0: optional(x, flag)",
        "if dist.get_rank() >= other: return\nhelper(x)",
        "if dist.get_rank() == 0: x.synchronize_all()\nelse: dist.barrier()",
        "if dist.get_rank() == 0: flag(lambda: dist.barrier())",
        "if x.rank_of_matrix == 0: dist.barrier()",
        "if flag(dist.get_rank()): dist.barrier()",
        "if dist.get_rank(y) == 0: dist.barrier()",
        "g = dist.new_group([0, 1])\nif dist.get_rank() < 2: dist.all_reduce(x, group=g)",
        "if dist.get_world_size() > 1: helper(x)",
        "if dist.get_world_size() == 4: helper(x)",
        "for r in range(dist.get_world_size()):\n  if r == dist.get_rank(): print(x)\n  dist.barrier()",
        "while True:\n  if dist.get_rank() == 0:\n    if not input(): continue\n  helper(x)",
        "stop = flag()\nbox = [stop]\ndist.broadcast_object_list(box, 0)\nif box[0]: helper(x)",
        "it = range(9) if dist.get_rank() else range(9)\nfor i in it: helper(x)",
    ],
)
def test_together(parted: Parted, body: str) -> None:
    assert parted(body) == []


@pytest.mark.parametrize(
    ("signature", "titles"),
    [
        (lambda p: p.rank == 0, ["rank 0", "the other ranks"]),
        (lambda p: 0, ["all ranks"]),
        (lambda p: p.rank % 2, ["the even ranks", "the odd ranks"]),
        (lambda p: p.local_rank == 0, ["the first rank of each node", "the other ranks"]),
        (
            lambda p: (p.rank == 0, p.local_rank == 0),
            ["rank 0", "the other ranks", "the first rank of the other nodes"],
        ),
        (lambda p: p.rank == 7, ["the other ranks", "the last rank"]),
        (lambda p: min(p.rank, 3), ["rank 0", "rank 1", "rank 2", "the other ranks"]),
    ],
)
def test_classes_are_named(signature: Callable[[Any], object], titles: list[str]) -> None:
    processes = job(2, 4)
    named = by_signature(processes, {process: signature(process) for process in processes})
    assert [each.title for each in named] == titles
    assert named[0].does("wait").endswith(("waits", "wait"))


_RANK, _FLAG = Rank("global"), Unknown("flag")
_IS_MAIN = Apply("==", (_RANK, Const(0)))


@pytest.mark.parametrize(
    ("value", "main", "peer"),
    [
        (_IS_MAIN, TRUE, FALSE),
        (Apply("not", (_IS_MAIN,)), FALSE, TRUE),
        (Apply("and", (_IS_MAIN, _FLAG)), _FLAG, FALSE),
        (Apply("or", (_IS_MAIN, _FLAG)), TRUE, _FLAG),
        (Apply("==", (_RANK, Apply("-", (WorldSize("global"), Const(1))))), FALSE, TRUE),
        (Apply("in", (_RANK, Items("tuple", (Const(-1), Const(0))))), TRUE, FALSE),
        (Apply("==", (Rank("global", text=True), Const(0))), FALSE, FALSE),
        (Apply("==", (Rank("global", text=True), Const("1"))), FALSE, TRUE),
        (Apply("index", (Items("list", (_FLAG, NONE_ := Const(None))), _RANK)), _FLAG, NONE_),
        (Alternatives(((frozenset({(_IS_MAIN, True)}), _FLAG), (frozenset({(_IS_MAIN, False)}), FALSE))), _FLAG, FALSE),
        (Apply("%", (_RANK, Const(2))), Const(0), Const(1)),
        (_FLAG, _FLAG, _FLAG),
        (WorldSize("global"), WorldSize("global"), WorldSize("global")),
    ],
)
def test_residuals(value: Value, main: Value, peer: Value) -> None:
    assert [Evaluator(process).residual(value) for process in job(1, 2)] == [main, peer]


def test_a_variable_that_one_rank_changes_in_a_loop_keeps_its_value_on_the_others() -> None:
    stop = Unknown(("loop", "stop"))
    after = Alternatives(((frozenset({(_IS_MAIN, True)}), _FLAG), (frozenset({(_IS_MAIN, False)}), stop)))
    bindings = Bindings({stop: (FALSE, after)})
    assert [Evaluator(process, bindings).residual(stop) for process in job(1, 2)] == [stop, FALSE]


def test_truths_are_chosen_and_looked_up() -> None:
    condition = Apply("and", (Apply("not", (_FLAG,)), Setting("save", "argument")))
    chosen: dict[Value, bool] = {}
    assert solve(condition, True, chosen)
    assert chosen == {_FLAG: False, Setting("save", "argument"): True}
    assert truth_given(condition, chosen.get) is True
    assert truth_given(condition, {_FLAG: True}.get) is False
    assert truth_given(condition, {}.get) is None
    assert not solve(_FLAG, True, chosen)
    assert not tags_of(condition)
