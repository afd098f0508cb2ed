"""Edits of arguments, in every layout in which people write them."""

from __future__ import annotations

import pytest

from ddl_lint.fixes.python.arguments import add_keyword, keyword, remove_argument, set_keyword
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from editing import done, file_of_text, node_of


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f()\n", "f(k=1)\n"),
        ("f(a)\n", "f(a, k=1)\n"),
        ("f(a, b=2, )\n", "f(a, b=2, k=1 )\n"),
        ("f(a,)\n", "f(a, k=1)\n"),
        ("f((a))\n", "f((a), k=1)\n"),
        ("f(a)(b)\n", "f(a)(b, k=1)\n"),
        ("f(*a, **b)\n", "f(*a, **b, k=1)\n"),
        ("f(\n    a,\n    b=2,\n)\n", "f(\n    a,\n    b=2,\n    k=1,\n)\n"),
        ("f(\n    a,\n    b=2\n)\n", "f(\n    a,\n    b=2,\n    k=1\n)\n"),
        ("f(\n    a,  # first\n    b=2,  # second\n)\n", "f(\n    a,  # first\n    b=2,  # second\n    k=1,\n)\n"),
        ("f(a,\n  b)\n", "f(a,\n  b, k=1)\n"),
        ("f(\r\n\ta,\r\n)\r\n", "f(\r\n\ta,\r\n\tk=1,\r\n)\r\n"),
        ("f((x for x in y))\n", "f((x for x in y), k=1)\n"),
        ("f(')', \"(\")\n", "f(')', \"(\", k=1)\n"),
    ],
)
def test_add_keyword(before, after):
    file = file_of_text(before)
    assert done(file, add_keyword(file, node_of(file, code.Call, "f("), "k", "1")) == after


def test_a_bare_generator_takes_no_neighbour():
    file = file_of_text("f(x for x in y)\n")
    with pytest.raises(Unfixable, match="generator"):
        add_keyword(file, node_of(file, code.Call, "f("), "k", "1")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(k=2)\n", "f(k=1)\n"),
        ("f(a, k=(2 +\n 3), b=4)\n", "f(a, k=(1), b=4)\n"),
        ("f(a)\n", "f(a, k=1)\n"),
    ],
)
def test_set_keyword(before, after):
    file = file_of_text(before)
    assert done(file, set_keyword(file, node_of(file, code.Call, "f("), "k", "1")) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(k=1)\n", "f()\n"),
        ("f(k=1, b=2)\n", "f(b=2)\n"),
        ("f(a, k=1)\n", "f(a)\n"),
        ("f(a, k=1, b=2)\n", "f(a, b=2)\n"),
        ("f(a, k=1,)\n", "f(a, )\n"),
        ("f(a, k=(1, 2), b=2)\n", "f(a, b=2)\n"),
        ("f(a, k=(1), b=2)\n", "f(a, b=2)\n"),
        ("f(\n    a,\n    k=1,\n    b=2,\n)\n", "f(\n    a,\n    b=2,\n)\n"),
        ("f(\n    a,\n    k=1\n)\n", "f(\n    a\n)\n"),
        ("f(\n    k=1,  # why\n    b=2,\n)\n", "f(\n    # why\n    b=2,\n)\n"),
        ("f(k=[\n    1,\n], b=2)\n", "f(b=2)\n"),
    ],
)
def test_remove_argument(before, after):
    file = file_of_text(before)
    call = node_of(file, code.Call, "f(")
    argument = keyword(call, "k")
    assert argument is not None
    assert done(file, remove_argument(file, call, argument)) == after


def test_remove_a_positional_argument():
    file = file_of_text("f(a, (b), c)\n")
    call = node_of(file, code.Call, "f(")
    assert done(file, remove_argument(file, call, call.args[1])) == "f(a, c)\n"
