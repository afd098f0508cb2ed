"""Edits of the elements of lists and dicts, in the layouts in which people write them."""

from __future__ import annotations

import pytest

from ddl_lint.fixes.python.displays import add_entry, insert_item, move_item
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from editing import done, file_of_text, node_of


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = [a, b, c]\n", "x = [c, a, b]\n"),
        ("x = [a, b, c,]\n", "x = [c, a, b,]\n"),
        ("x = [\n    a,\n    b,\n    c,\n]\n", "x = [\n    c,\n    a,\n    b,\n]\n"),
        ("x = [\n    a,\n    b,\n    c\n]\n", "x = [\n    c,\n    a,\n    b,\n]\n"),
        ("x = [\n    a,  # 1\n    b,\n    c,  # 3\n]\n", "x = [\n    c,  # 3\n    a,  # 1\n    b,\n]\n"),
        ("x = [\r\n\ta,\r\n\tb,\r\n\tc,\r\n]\r\n", "x = [\r\n\tc,\r\n\ta,\r\n\tb,\r\n]\r\n"),
    ],
)
def test_move_item(before, after):
    file = file_of_text(before)
    display = node_of(file, code.Display, "[")
    assert done(file, move_item(file, display, display.items[2], display.items[0])) == after


def test_a_comment_between_keeps_an_element_in_its_place():
    file = file_of_text("x = [a, b,  # the first two\n    c]\n")
    display = node_of(file, code.Display, "[")
    with pytest.raises(Unfixable, match="form"):
        move_item(file, display, display.items[2], display.items[0])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = [a, b]\n", "x = [a, new, b]\n"),
        ("x = [\n    a,\n    b,\n]\n", "x = [\n    a,\n    new,\n    b,\n]\n"),
    ],
)
def test_insert_item(before, after):
    file = file_of_text(before)
    assert done(file, insert_item(file, node_of(file, code.Display, "[").items[1], "new")) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = {'a': 1}\n", "x = {'a': 1, 'k': 2}\n"),
        ("x = {'a': 1,}\n", "x = {'a': 1, 'k': 2,}\n"),
        ("x = {\n    'a': 1,\n    'b': 2,\n}\n", "x = {\n    'a': 1,\n    'b': 2,\n    'k': 2,\n}\n"),
        ("x = {\n    'a': 1\n}\n", "x = {\n    'a': 1,\n    'k': 2\n}\n"),
        ("x = {**a}\n", "x = {**a, 'k': 2}\n"),
    ],
)
def test_add_entry(before, after):
    file = file_of_text(before)
    assert done(file, add_entry(file, node_of(file, code.Dictionary, "{"), "'k': 2")) == after
