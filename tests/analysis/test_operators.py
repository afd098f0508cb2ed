"""Operators on abstract values."""

from __future__ import annotations

import pytest

from ddl_lint.analysis.values.conditions import consequences, exclude, in_order, negate, normal, truth_of
from ddl_lint.analysis.values.lattice import alternatives, choose, join, prune
from ddl_lint.analysis.values.operators import arithmetic, compare
from ddl_lint.analysis.values.tags import tags_of
from ddl_lint.analysis.values.visitors import is_repeatable, objects_in
from ddl_lint.program.tags import DATA
from ddl_lint.program.values import (
    FALSE,
    NONE,
    TRUE,
    Alternatives,
    Apply,
    Bound,
    Const,
    DeviceCount,
    Flag,
    Items,
    Object,
    Rank,
    Setting,
    Symbol,
    Table,
    Unknown,
    Value,
    WorldSize,
)
from ddl_lint.source.span import Location

A, B = Unknown("a"), Unknown("b")
ONE, TWO = Const(1), Const(2)
RANK, SIZE = Rank("global"), WorldSize("global")
MODEL = Object("model", Location("a.py", 0, 1))


def items(*values: Value, opened: bool = False) -> Items:
    return Items("list", values, opened)


@pytest.mark.parametrize(
    ("sign", "left", "right", "expected"),
    [
        ("==", ONE, ONE, TRUE),
        ("==", ONE, Const(1.0), TRUE),
        ("!=", Const("a"), Const("b"), TRUE),
        ("<", ONE, TWO, TRUE),
        ("<", ONE, Const("a"), None),
        (">=", RANK, Const(0), TRUE),
        ("<", RANK, Const(0), FALSE),
        ("==", RANK, Const(-1), FALSE),
        ("==", RANK, Const(0), None),
        (">", SIZE, ONE, TRUE),
        ("<=", SIZE, ONE, FALSE),
        (">", SIZE, TWO, None),
        (">", WorldSize("local"), ONE, None),
        ("==", Rank("global", text=True), Const(0), None),
        (">=", DeviceCount(), Const(0), TRUE),
        ("is", NONE, NONE, TRUE),
        ("is", RANK, NONE, FALSE),
        ("is not", MODEL, NONE, TRUE),
        ("==", MODEL, NONE, FALSE),
        ("is", A, NONE, None),
        ("is", Setting("a", "argument"), NONE, None),
        ("is", MODEL, MODEL, TRUE),
        ("in", ONE, items(ONE, TWO), TRUE),
        ("in", Const(3), items(ONE, TWO), FALSE),
        ("not in", Const(3), items(ONE, TWO), TRUE),
        ("in", Const(3), items(ONE, opened=True), None),
        ("in", A, items(ONE), None),
        ("in", ONE, Table(((ONE, TWO),)), TRUE),
        ("in", Const("b"), Const("abc"), TRUE),
        ("in", RANK, items(Const(-1), Const(-2)), FALSE),
    ],
)
def test_compare(sign: str, left: Value, right: Value, expected: Value | None) -> None:
    assert compare(sign, left, right) == (Apply(sign, (left, right)) if expected is None else expected)


def test_compare_goes_through_alternatives() -> None:
    assert compare("==", join(A, ONE, TWO), ONE) == join(A, TRUE, FALSE)


@pytest.mark.parametrize(
    ("value", "truth"),
    [
        (TRUE, True), (NONE, False), (Const(""), False), (Flag("distributed"), True), (Flag("cuda"), None),
        (SIZE, True), (RANK, None), (Rank("global", text=True), True), (items(), False),
        (items(opened=True), None), (items(A), True), (Table(()), False), (MODEL, True),
        (Object("tensor", MODEL.location), None), (A, None), (Symbol("a"), None),
        (Apply("not", (TRUE,)), False), (Apply("and", (A, FALSE)), False), (Apply("and", (A, TRUE)), None),
        (Apply("or", (A, TRUE)), True), (Apply("or", (FALSE, NONE)), False), (join(A, ONE, TWO), True),
        (join(A, ONE, NONE), None), (Bound(A, (), ()), True), (Apply("text", (A,)), True),
    ],
)  # fmt: skip
def test_truth(value: Value, truth: bool | None) -> None:
    assert truth_of(value) is truth
    if truth is not None:
        assert truth_of(negate(value)) is not truth


def test_truth_with_facts() -> None:
    equal = Apply("==", (RANK, Const(0)))
    assert truth_of(equal, {equal: False}) is False
    assert truth_of(Apply("!=", (RANK, Const(0))), {equal: False}) is True
    assert truth_of(Apply("or", (equal, B)), {equal: True}) is True
    assert truth_of(join(A, ONE, NONE), {A: False}) is False


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (A, (A, True)),
        (Apply("not", (A,)), (A, False)),
        (Apply("not", (Apply("not", (A,)),)), (A, True)),
        (Apply("!=", (A, ONE)), (Apply("==", (A, ONE)), False)),
        (Apply("<", (A, ONE)), (Apply("<", (A, ONE)), True)),
        (join(A, TRUE, FALSE), (A, True)),
        (join(A, NONE, MODEL), (A, False)),
        (join(Apply("not", (A,)), ONE, NONE), (A, False)),
        (join(A, B, NONE), (join(A, B, NONE), True)),
    ],
)
def test_conditions_have_one_form(condition: Value, expected: tuple[Value, bool]) -> None:
    assert normal(condition) == expected


def test_consequences() -> None:
    both = Apply("and", (A, Apply("not", (B,))))
    assert set(consequences(both, True)) == {(both, True), (A, True), (B, False)}
    assert consequences(both, False) == [(both, False)]
    either = Apply("or", (A, B))
    assert set(consequences(either, False)) == {(either, False), (A, False), (B, False)}


def test_choose_merges_equal_values_and_keeps_what_they_share() -> None:
    found = choose(
        [(frozenset({(A, True), (B, True)}), ONE), (frozenset({(A, True), (B, False)}), ONE), (frozenset(), TWO)]
    )
    assert found == Alternatives(((frozenset({(A, True)}), ONE), (frozenset(), TWO)))
    assert choose([(frozenset({(A, True)}), ONE), (frozenset({(A, False)}), Const(1))]) == ONE


def test_choose_flattens() -> None:
    found = choose([(frozenset({(B, True)}), join(A, ONE, TWO)), (frozenset({(B, False)}), Const(3))])
    assert alternatives(found) == (ONE, TWO, Const(3))
    assert prune(found, {A: True, B: True}) == ONE


def kinds(value: Value) -> set[str]:
    """The kinds of the tags of a value, as words."""
    return {tag.kind.value for tag in tags_of(value)}


def test_too_many_alternatives_are_unknown_but_keep_their_tags() -> None:
    found = choose([(frozenset(), Apply("+", (RANK, Const(i)))) for i in range(20)])
    assert isinstance(found, Unknown)
    assert kinds(found) == {"rank"}


def test_prune_never_leaves_nothing() -> None:
    choice = join(A, ONE, TWO)
    assert prune(choice, {A: True}) == ONE
    assert prune(choice, {B: True}) == choice
    only = Alternatives(((frozenset({(A, True)}), ONE), (frozenset({(A, True)}), TWO)))
    assert prune(only, {A: False}) == only


@pytest.mark.parametrize(
    ("sign", "left", "right", "expected"),
    [
        ("+", ONE, TWO, Const(3)),
        ("//", ONE, Const(0), Unknown()),
        ("+", ONE, Const("a"), Unknown()),
        ("*", Const("a"), Const(10_000), Unknown()),
        ("%", Const("%s-%d"), Items("tuple", (RANK, ONE)), Apply("text", (RANK, Const("-"), ONE))),
        ("+", items(ONE), items(TWO, opened=True), items(ONE, TWO, opened=True)),
        ("*", items(ONE), TWO, items(ONE, ONE)),
        ("%", RANK, DeviceCount(), Apply("%", (RANK, DeviceCount()))),
        ("+", join(A, ONE, TWO), ONE, join(A, TWO, Const(3))),
    ],
)
def test_arithmetic(sign: str, left: Value, right: Value, expected: Value) -> None:
    assert arithmetic(sign, left, right) == expected


def test_operations_that_grow_are_unknown_in_the_end() -> None:
    found: Value = RANK
    for _ in range(10):
        found = arithmetic("+", found, found)
    assert isinstance(found, Unknown)
    assert kinds(found) == {"rank"}


@pytest.mark.parametrize(
    ("value", "tags"),
    [
        (RANK, {"rank"}), (Rank("local"), {"local_rank"}), (SIZE, set()), (ONE, set()), (items(ONE, RANK), {"rank"}),
        (Table(((ONE, Rank("node")),)), {"node_rank"}), (join(RANK, ONE, TWO), {"rank"}),
        (Apply("+", (Unknown("a", frozenset({DATA})), Rank("group"))), {"data", "group_rank"}),
    ],
)  # fmt: skip
def test_tags(value: Value, tags: set[str]) -> None:
    assert kinds(value) == tags
    assert kinds(value) == tags  # the second answer is remembered


def test_objects_in() -> None:
    other = Object("loader", MODEL.location)
    value = items(join(A, MODEL, NONE), Table(((ONE, other),)), Apply("len", (MODEL,)))
    assert set(objects_in(value)) == {MODEL, other}
    assert len(objects_in(value)) == 3
    assert len(objects_in(value, deep=False)) == 2


@pytest.mark.parametrize("value", [Unknown(), items(Unknown()), Apply("not", (Unknown(),)), join(A, Unknown(), ONE)])
def test_what_may_be_another_although_it_is_equal(value: Value) -> None:
    assert not is_repeatable(value)
    assert is_repeatable(items(A, MODEL))


def test_conditions_are_ordered_whatever_their_hashes() -> None:
    conditions = [(Unknown(("parameter", name)), True) for name in "abcdefgh"]
    conditions += [(Apply("==", (RANK, Const(number))), False) for number in range(4)]
    assert in_order(frozenset(conditions)) == sorted(conditions, key=lambda pair: isinstance(pair[0], Unknown))


def test_true_is_not_one() -> None:
    assert TRUE != ONE
    assert len({TRUE, ONE, Const(1.0)}) == 3


def _asks(sign: str, limit: object, what: Value = A) -> Value:
    return normal(Apply(sign, (what, Const(limit))))[0]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((_asks("==", "a"), True), (_asks("==", "b"), True), True),
        ((_asks("==", "a"), True), (_asks("==", "b"), False), False),
        ((_asks("==", "a"), True), (_asks("==", "b", B), True), False),
        ((_asks("==", "a"), True), (_asks("==", "a"), False), True),
        ((_asks(">=", 0), True), (_asks("==", -1), True), True),
        ((_asks(">=", 0), False), (_asks("==", -1), True), False),
        ((_asks(">", 1), True), (_asks("<", 2), True), False),  # it may be no whole number
        ((_asks(">", 2), True), (_asks("<", 2), True), True),
        ((_asks(">", 2), False), (_asks(">", 3), True), True),
        ((Apply("<", (Const(0), A)), True), (_asks("==", 0), True), True),
        ((A, True), (_asks("==", 0), True), False),
    ],
)
def test_conditions_on_one_thing_may_exclude_each_other(
    one: tuple[Value, bool], other: tuple[Value, bool], expected: bool
) -> None:
    assert exclude(one, other) is exclude(other, one) is expected
