"""Branches: what is joined, what is known to exclude each other, and under which conditions events happen."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import Alternatives, Apply, Const, Flag, Rank, Value


def plain(value: Value) -> set[object]:
    """The literals that a value may be."""
    return {option.value if isinstance(option, Const) else option for option in alternatives(value)}


def branches(event: Event) -> list[Context]:
    return [node for node in event.context.chain() if node.kind == "branch"]


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("if c: x = 1\nelse: x = 2", {1, 2}),
        ("x = 1\nif c: x = 2", {1, 2}),
        ("x = 1 if c else 1", {1}),
        ("if c: x = 1\nelif d: x = 2\nelse: x = 3", {1, 2, 3}),
        ("def f():\n    if c: return 1\n    return 2\nx = f()", {1, 2}),
        ("if c: y = 1\nelse: y = 2\nif c: x = y\nelse: x = y * 10", {1, 20}),
        ("if c: y = 1\nelse: y = 2\nif not c: x = y\nelse: x = y * 10", {10, 2}),
        ("y = 1 if c else 2\nz = y + 1\nx = z if c else 0", {2, 0}),
        ("def f(c): return 1 if c else 2\ny = f(c)\nx = y if c else 0", {1, 0}),
        ("y = 1 if c and d else 2\nx = y if c and d else 0", {1, 0}),
        ("y = 3 if c else None\nx = 0 if y is None else y", {3, 0}),
        ("y = 3 if c else None\nz = 1 if c else 2\nx = z if y is not None else 5", {1, 5}),
        ("y = 3 if c else None\nx = y or 4", {3, 4}),
        ("class A:\n    v = 1\na = A()\na.v = 1\nif c: a.v = 2\nx = a.v", {1, 2}),
        ("class A:\n    def __init__(self): self.v = 1\na = A() if c else None\nx = a.v if c else 2", {1, 2}),
        ("class A: pass\na = None\nif c:\n    a = A()\n    a.v = 1\n    if d: a.v = 2\nx = a.v if c else 3", {1, 2, 3}),
        ("class A: pass\nfor _ in torch.items():\n    a = A()\n    a.v = 1\nx = a.v", {1}),
        ("f = (lambda: 1) if c else (lambda: 2)\nx = f()", {1, 2}),
        ("def f():\n    if not c:\n        return 0\n    return 1 if c else 2\nx = f()", {0, 1}),
        ("assert c\nx = 1 if c else 2", {1}),
        ("d = {'a': 1}\nif c: d['a'] = 2\nx = d['a']", {1, 2}),
        ("if c: a, b = 1, 2\nelse: a, b = 3, 4\nx = (a, b) if c else 0\nx = x[1] if c else x", {2, 0}),
    ],
)
def test_values_after_a_branch(value_of, program: str, expected: set[object]) -> None:
    assert plain(value_of(f"c, d = torch.first(), torch.second()\n{program}")) == expected


def test_a_condition_that_is_a_choice_stays_one_part_of_a_longer_condition(value_of) -> None:
    program = "c, n = torch.first(), torch.count()\nif not c: n = 0\nx = n > 0 and n % 100 == 0 and rank == 0"
    found = value_of(f"import torch.distributed as dist\nrank = dist.get_rank()\n{program}")
    assert isinstance(found, Apply) and found.operator == "and"
    assert found.operands[1] == Apply("==", (Rank("global"), Const(0)))


def test_unknowns_without_origin_are_not_taken_for_each_other(value_of) -> None:
    program = "a, k = torch.a(), torch.k()\nif not max(a, k)[k]: raise ValueError\nx = 1 if min(a, k)[k] else 2"
    assert plain(value_of(program)) == {1, 2}


def test_alternatives_are_labelled_with_their_conditions(value_of) -> None:
    found = value_of("c = torch.first()\nx = 1 if c else 2")
    assert isinstance(found, Alternatives)
    (labels, one), (opposite, other) = found.options
    ((condition, truth),) = labels
    assert (one, other, truth) == (Const(1), Const(2), True)
    assert opposite == frozenset({(condition, False)})


@pytest.mark.parametrize(
    ("condition", "labels"),
    [
        ("True", [1]),
        ("None", [2]),
        ("dist.is_initialized()", [1]),
        ("not dist.is_initialized()", [2]),
        ("dist.get_world_size() > 1", [1]),
        ("dist.get_world_size() == 1", [2]),
        ("args.distributed", [1]),
        ("not args.distributed", [2]),
        ("'RANK' in os.environ", [1]),
        ("int(os.environ['LOCAL_RANK']) >= 0", [1]),
        ("dist.get_rank() == 0", [1, 2]),
        ("dist.get_rank() < 0", [2]),
        ("torch.cuda.is_available()", [1, 2]),
        ("args.lr", [1, 2]),
    ],
)
def test_which_arms_are_followed(follow_project, condition: str, labels: list[int]) -> None:
    found = follow_project(f"""
        import argparse, os, torch
        import torch.distributed as dist
        args = argparse.Namespace()
        dist.init_process_group("nccl")
        if {condition}:
            torch.save(0, 1)
        else:
            torch.save(0, 2)
        """)
    assert found.labels == labels


GUARDS = """
import torch
import torch.distributed as dist
dist.init_process_group("nccl")
rank = dist.get_rank()
def guarded():
    if rank != 0:
        return
    torch.save(0, "early return")
guarded()
if rank == 0:
    torch.save(0, "if")
else:
    torch.save(0, "else")
rank == 0 and torch.save(0, "and")
torch.save(0, "conditional") if rank == 0 else None
if dist.is_initialized():
    torch.save(0, "group")
assert rank == 0
torch.save(0, "assert")
"""


@pytest.mark.parametrize(
    ("label", "arm", "implied", "assumed"),
    [
        ("early return", False, True, False),
        ("if", True, False, False),
        ("else", False, False, False),
        ("and", True, False, False),
        ("conditional", True, False, False),
        ("assert", True, True, False),
    ],
)
def test_circumstances(follow_project, label: str, arm: bool, implied: bool, assumed: bool) -> None:
    (event,) = follow_project(GUARDS).saves(label)
    branch = branches(event)[0]
    assert (branch.arm, branch.implied, branch.assumed) == (arm, implied, assumed)
    assert Rank("global") in branch.value.operands


def test_what_runs_for_the_distributed_flag_is_assumed(follow_project) -> None:
    (event,) = follow_project(GUARDS).saves("group")
    assert all(branch.assumed for branch in branches(event))
    assert Flag("distributed") in [branch.value for branch in branches(event)]


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("y is not None", {"torch.nn.Linear"}),
        ("y is None", {None}),
        ("y", {"torch.nn.Linear"}),
        ("not y", {None}),
        ("isinstance(y, torch.nn.Module)", {"torch.nn.Linear"}),
        ("y is not None and d", {"torch.nn.Linear"}),
    ],
)
def test_narrowing(value_of, test: str, expected: set[object]) -> None:
    program = (
        f"c, d = torch.first(), torch.second()\ny = torch.nn.Linear(1, 1) if c else None\nx = 0\nif {test}: x = y\n"
    )
    found = {getattr(option, "api", getattr(option, "value", None)) for option in alternatives(value_of(program))}
    assert found - {0} == expected


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("case 1: x = 'one'", {"one"}),
        ("case 2 | 3: x = 'few'\n  case _: x = 'other'", {"other"}),
        ("case y: x = y", {1}),
        ("case 1 | 2 as y: x = y", {1}),
        ("case 1 if c: x = 'one'\n  case _: x = 'other'", {"one", "other"}),
        ("case y if y == 2: x = 'two'\n  case _: x = 'other'", {"other"}),
        ("case int(): x = 'int'\n  case _: x = 'other'", {"int", "other"}),
        ("case [y]: x = 'list'\n  case {'k': y}: x = 'dict'\n  case _: x = 'other'", {"list", "dict", "other"}),
    ],
)
def test_match(value_of, case: str, expected: set[object]) -> None:
    assert plain(value_of(f"c = torch.first()\nmatch 1:\n  {case}")) == expected


def test_each_of_several_classes_has_all_that_its_constructor_stores(value_of) -> None:
    program = """
        KINDS = {}

        class Base:
            def __init__(self, size): self.size = size

        class Small(Base):
            def __init__(self): super().__init__(1)

        class Large(Base):
            def __init__(self): super().__init__(2)

        KINDS["small"], KINDS["large"] = Small, Large
        x = KINDS[torch.name()]().size
    """
    assert plain(value_of(dedent(program))) == {1, 2}
