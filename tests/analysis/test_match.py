"""`match` takes apart what programs write: each form as the analysis gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import getmembers, isfunction

import pytest

from ddl_lint.program.values import Const, Items, Setting, Value
from ddl_lint.rulekit import match

PROGRAM = """
import argparse
import math
import os
from pathlib import Path

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--a")
parser.add_argument("--b")
args = parser.parse_args()
a, b = args.a, args.b
folder = Path(args.a)
for i in range(args.a):
    torch.save(%s, "x")
"""

FORMS = [
    ("a % b", match.modulo, "ab"),
    ("a * b", match.product, "ab"),
    ("a / b", match.quotient, "ab"),
    ("folder / b", match.quotient, ".b"),
    ("a // b", match.floor_div, "ab"),
    ("a + b", match.addition, "ab"),
    ("-a", match.negation, "a"),
    ("math.ceil(a / b)", match.ceil_div, "a"),
    ("math.ceil(a)", match.ceil_div, "a"),
    ("-(-a // b)", match.ceil_div, "a"),
    ("a // b + 1", match.ceil_div, "a"),
    ("1 + a // b", match.ceil_div, "a"),
    ("(a + b - 1) // b", match.ceil_div, "."),
    ("a ** b", match.arithmetic, "ab"),
    ("a - b", match.arithmetic, "ab"),
    ("float(a) * b", match.arithmetic, "ab"),
    ("min(a, b)", match.least_of, "ab"),
    ("a == b", match.compared, "ab"),
    ("a <= b", match.compared, "ab"),
    ("a in b", match.membership, "ab"),
    ("a == 1 or b == 2", match.disjunction, ".."),
    ("os.path.exists(a)", match.existence, "a"),
    ("folder.is_file()", match.existence, "."),
    ("isinstance(a, b)", match.inspection, "ab"),
    ("hasattr(a, 'x')", match.inspection, "a."),
    ("range(a, b)", match.range_of, "ab"),
    ("range(a)", match.range_to, "a"),
    ("i", match.element_of, "."),
    ("i", match.loop_counter, "."),
    ("len(a)", match.length_of, "a"),
    ("list(a)[b]", match.index_of, ".b"),
    ("list(a)['x'][b]", match.container_of, "."),
    ("a", match.container_of, "a"),
    ("list(a)", match.list_of, "a"),
    ("list(a)", match.listed, "a"),
    ("tuple(a)", match.listed, "a"),
    ("set(a)", match.set_of, "a"),
    ("[x + 1 for x in a]", match.each_of, "a"),
    ("[x for x in a if x != b]", match.comprehended, "a"),
    ("enumerate(a)", match.enumerated, "a"),
    ("sorted(a)", match.as_long_as, "a"),
    ("tuple(a)", match.as_long_as, "a"),
    ("f'{a}-{b}'", match.text_pieces, "a.b"),
    ("folder / 'x' / b", match.path_parts, ".b"),
    ("os.path.join(a, 'x', b)", match.path_parts, "a.b"),
]


@pytest.mark.parametrize(("text", "form", "expected"), FORMS, ids=lambda part: getattr(part, "__name__", str(part)))
def test_a_form_is_taken_apart(follow_project, text: str, form: Callable[[Value | None], object], expected: str):
    found = form(follow_project(PROGRAM % text).saved())
    assert found is not None
    assert "".join(map(_named, found if isinstance(found, tuple) else (found,))) == expected


def _named(part: Value) -> str:
    """The option that a value is; a dot for any other one."""
    return part.name if isinstance(part, Setting) and len(part.name) == 1 else "."


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("a // b", match.modulo),
        ("a // b", match.ceil_div),
        ("a + 1", match.ceil_div),
        ("a - 1", match.negation),
        ("a % b", match.arithmetic),
        ("a is b", match.compared),
        ("range(a, b)", match.range_to),
        ("enumerate(a)", match.listed),
        ("[x for x in a if x != b]", match.each_of),
        ("[x for x in a if x != b]", match.as_long_as),
        ("a + b", match.path_parts),
    ],
    ids=lambda part: getattr(part, "__name__", str(part)),
)
def test_another_form_is_none(follow_project, text: str, form: Callable[[Value | None], object]):
    assert form(follow_project(PROGRAM % text).saved()) is None


def test_a_list_that_was_changed_tells_what_it_was(follow_project):
    program = PROGRAM.replace("for i in", "held = [x + 1 for x in a]\ndel held[0]\nfor i in") % "held"
    assert match.each_of(match.changed(follow_project(program).saved())) is not None


def test_a_list_that_was_extended_tells_by_what(follow_project):
    program = PROGRAM.replace("for i in", "held = [1]\nheld.extend(a)\nfor i in") % "held"
    held = follow_project(program).saved()
    assert isinstance(held, Items)
    assert _named(match.elements_of(held.items[-1]) or Const(None)) == "a"


def test_an_element_tells_where_it_was_taken(follow_project):
    program = PROGRAM.replace("for i in", "for taken in a:\n    pass\nfor i in") % "taken"
    place = match.element_place(follow_project(program).saved())
    assert place is not None
    assert program[place.start : place.end] == "a"


def test_nothing_has_no_form():
    forms: Iterable[Callable[[Value | None], object]] = [form for _, form in _forms()]
    assert all(form(None) is None and form(Const(1)) in (None, Const(1)) for form in forms)


def test_each_form_is_tried():
    apart = {"changed", "elements_of", "element_place"}
    assert {name for name, _ in _forms()} - apart == {form.__name__ for _, form, _ in FORMS}


def _forms() -> list[tuple[str, Callable[[Value | None], object]]]:
    return [
        (name, form)
        for name, form in getmembers(match, isfunction)
        if form.__module__ == match.__name__ and not name.startswith("_")
    ]
