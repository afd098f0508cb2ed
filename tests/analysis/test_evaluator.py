"""What values are in one process of a job."""

from __future__ import annotations

from typing import Any

import pytest

from ddl_lint.analysis.ranks.evaluator import Bindings, Evaluator
from ddl_lint.analysis.ranks.processes import job
from ddl_lint.analysis.values.lattice import join
from ddl_lint.analysis.values.operators import Undecided
from ddl_lint.program.values import (
    NONE,
    UNKNOWN,
    Apply,
    Const,
    DeviceCount,
    Flag,
    Items,
    Rank,
    Setting,
    Table,
    Value,
    WorldSize,
)

RANK, SIZE = Rank("global"), WorldSize("global")
ONE, TWO = Const(1), Const(2)
IS_MAIN = Apply("==", (RANK, Const(0)))
OPTION = Setting("n", "argument")
RANGE = Apply("range", (SIZE,))
LAST = job(2, 2)[3]


def items(*values: Value, kind: Any = "list", opened: bool = False) -> Items:
    return Items(kind, values, opened)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (RANK, 3),
        (Rank("local"), 1),
        (Rank("node"), 1),
        (Rank("global", text=True), "3"),
        (SIZE, 4),
        (WorldSize("node"), 2),
        (DeviceCount(), 2),
        (Flag("distributed"), True),
        (Apply("-", (SIZE, ONE)), 3),
        (Apply("-", (RANK,)), -3),
        (Apply("%", (Apply("+", (RANK, ONE)), SIZE)), 0),
        (Apply("^", (RANK, ONE)), 2),
        (Apply("//", (RANK, Const(0))), None),
        (Apply("+", (RANK, Const("a"))), None),
        (RANGE, [0, 1, 2, 3]),
        (Apply("list", (Apply("range", (ONE, SIZE)),)), [1, 2, 3]),
        (Apply("len", (RANGE,)), 4),
        (Apply("max", (RANGE,)), 3),
        (Apply("min", (RANK, TWO)), 2),
        (Apply("reversed", (RANGE,)), [3, 2, 1, 0]),
        (Apply("len", (Apply("set", (items(RANK, Const(3)),)),)), 1),
        (Apply("index", (items(ONE, TWO, NONE, Const("d")), RANK)), "d"),
        (Apply("index", (items(UNKNOWN, TWO), ONE)), 2),
        (Apply("index", (items(ONE), RANK)), None),
        (items(RANK, items(SIZE, kind="tuple")), [3, [4]]),
        (items(RANK, opened=True), None),
        (items(RANK, UNKNOWN), None),
        (Apply("in", (RANK, items(ONE, Const(3), kind="set"))), True),
        (Apply("and", (IS_MAIN, UNKNOWN)), False),
        (Apply("and", (Apply("not", (IS_MAIN,)), UNKNOWN)), None),
        (join(IS_MAIN, ONE, TWO), 2),
        (join(UNKNOWN, ONE, TWO), None),
        (Table(((ONE, TWO),)), None),
        (OPTION, None),
        (Rank("group"), None),
        (Rank("global", source="name"), None),
        (Const(...), None),
    ],
)
def test_concrete_values(value: Value, expected: object) -> None:
    evaluator = Evaluator(LAST)
    if expected is None:
        with pytest.raises(Undecided):
            evaluator.concrete(value)
    else:
        assert evaluator.concrete(value) == expected


def test_numbers() -> None:
    evaluator = Evaluator(LAST)
    assert (evaluator.number(RANK), evaluator.number(RANGE), evaluator.number(OPTION)) == (3, None, None)
    assert (evaluator.numbers(RANGE), evaluator.numbers(RANK), evaluator.numbers(items(Const("a")))) == (
        [0, 1, 2, 3],
        None,
        None,
    )


def test_truths() -> None:
    assert not Evaluator(LAST).truth(IS_MAIN)
    assert Evaluator(LAST).truth(Apply("or", (OPTION, Apply("!=", (RANK, Const(0))))))
    with pytest.raises(Undecided):
        Evaluator(LAST).truth(OPTION)


def test_without_a_process_only_what_all_have_is_decided() -> None:
    evaluator = Evaluator()
    assert evaluator.number(Apply("+", (ONE, TWO))) == 3
    assert evaluator.residual(IS_MAIN) == IS_MAIN
    assert (evaluator.number(RANK), evaluator.number(SIZE)) == (None, None)


def test_a_comprehension_has_its_element_for_each_element_of_its_source() -> None:
    element = Apply("element", (RANGE, Const(7)))
    even = Apply("==", (Apply("%", (element, TWO)), Const(0)))
    evaluator = Evaluator(LAST)
    assert evaluator.concrete(Apply("each", (RANGE, Apply("*", (element, RANK)), even))) == [0, 6]
    for operands in ((OPTION, element), (RANGE, OPTION), (RANGE, ONE, OPTION)):
        with pytest.raises(Undecided):
            evaluator.concrete(Apply("each", operands))
    assert not evaluator.is_bound(RANGE)


def test_the_element_of_a_loop_is_what_is_bound() -> None:
    element, evaluator = Apply("element", (RANGE, Const(7))), Evaluator(LAST)
    with evaluator.bound(RANGE, 2):
        assert evaluator.is_bound(RANGE)
        assert evaluator.number(Apply("+", (element, RANK))) == 5
    assert evaluator.number(element) is None


def test_settings_may_be_taken_to_be_a_number() -> None:
    evaluator = Evaluator(LAST, Bindings(setting=2))
    assert evaluator.concrete(Apply("//", (RANK, OPTION))) == 1
    assert evaluator.number(Rank("group")) is None


def test_a_range_that_the_rank_bounds_is_left_as_a_range() -> None:
    shares = Apply("range", (Apply("*", (RANK, TWO)), Apply("*", (Apply("+", (RANK, ONE)), TWO))))
    assert [Evaluator(process).residual(shares) for process in job(1, 2)] == [
        Apply("range", (Const(0), TWO)),
        Apply("range", (TWO, Const(4))),
    ]
