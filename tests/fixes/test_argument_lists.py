"""Several arguments of one call away, and one in the place of another."""

from __future__ import annotations

import pytest

from ddl_lint.fixes.python.arguments import keyword, remove_arguments, replace_argument
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from editing import done, file_of_text, node_of

_NAMES = ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("before", "gone", "after"),
    [
        ("f(1, b=2, c=3)\n", "b", "f(1, c=3)\n"),
        ("f(1, b=2, c=3)\n", "bc", "f(1)\n"),
        ("f(b=2, c=3)\n", "bc", "f()\n"),
        ("f(b=2, x=1, c=3, d=4)\n", "bcd", "f(x=1)\n"),
        ("f(1, b=2, c=3,)\n", "bc", "f(1, )\n"),
        ("f(1, 2, 3)\n", "b", "f(1, c=3)\n"),
        ("f(1, 2, 3, x=4)\n", "ab", "f(c=3, x=4)\n"),
        ("f(1, (2), (3))\n", "b", "f(1, c=(3))\n"),
        ("f(1, 2, x=3, d=4)\n", "bd", "f(1, x=3)\n"),
        ("f(\n    1, b=2,\n    c=3,\n)\n", "b", "f(\n    1,\n    c=3,\n)\n"),
        ("f(1,  b=2,  # two\n  c=3)\n", "b", "f(1,  # two\n  c=3)\n"),
        ("f(\n    1,\n    b=2,\n    c=3,\n)\n", "bc", "f(\n    1,\n)\n"),
        ("f(\n    1,\n    b=2,\n    c=3\n)\n", "bc", "f(\n    1\n)\n"),
        ("f(\r\n\tb=2,\r\n\tx=3,\r\n\tc=3,\r\n)\r\n", "bc", "f(\r\n\tx=3,\r\n)\r\n"),
    ],
)
def test_remove_arguments(before: str, gone: str, after: str) -> None:
    file = file_of_text(before)
    call = node_of(file, code.Call, "f(")
    given = {**dict(zip(_NAMES, call.args, strict=False)), **{each.name: each for each in call.keywords}}
    assert done(file, remove_arguments(file, call, [given[name] for name in gone], _NAMES)) == after


def test_what_has_no_name_cannot_move_up() -> None:
    file = file_of_text("f(1, *rest)\n")
    call = node_of(file, code.Call, "f(")
    with pytest.raises(Unfixable, match="by name"):
        remove_arguments(file, call, [call.args[0]], _NAMES)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(1, b=2)\n", "f(1, x=y)\n"),
        ("f(1, b=(2))\n", "f(1, x=y)\n"),
        ("f(b=[2],  # so\n  c=3)\n", "f(x=y,  # so\n  c=3)\n"),
    ],
)
def test_replace_argument(before: str, after: str) -> None:
    file = file_of_text(before)
    given = keyword(node_of(file, code.Call, "f("), "b")
    assert given is not None
    assert done(file, replace_argument(file, given, "x=y")) == after
