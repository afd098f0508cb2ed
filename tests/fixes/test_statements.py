"""Edits of statements, in every layout in which people write them."""

from __future__ import annotations

import pytest

from ddl_lint.fixes.python.statements import (
    insert_after,
    insert_before,
    insert_first,
    move_after,
    move_out,
    remove,
    replace_statement,
    unwrap,
    wrap,
)
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.program import code
from editing import done, file_of_text, node_of, place_of


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("here()\n", "new()\nhere()\n"),
        ("a()\n# why\nhere()\n", "a()\nnew()\n# why\nhere()\n"),
        ("a()\n# of a\n\nhere()\n", "a()\n# of a\n\nnew()\nhere()\n"),
        ("def f():\n\there()\n", "def f():\n\tnew()\n\there()\n"),
        ("a(); here()\n", "a(); new(); here()\n"),
        ("if x: here()\n", "if x: new(); here()\n"),
        ("a()\r\nhere()\r\n", "a()\r\nnew()\r\nhere()\r\n"),
        ("here()", "new()\nhere()"),
        ("@decorated\ndef here():\n    pass\n", "new()\n@decorated\ndef here():\n    pass\n"),
        ('a("""\n# no comment\n""")\nhere()\n', 'a("""\n# no comment\n""")\nnew()\nhere()\n'),
    ],
)
def test_insert_before(before, after):
    file = file_of_text(before)
    assert done(file, insert_before(place_of(file, "here"), "new()")) == after


def test_nothing_goes_before_an_elif():
    file = file_of_text("if a:\n    pass\nelif b:\n    pass\n")
    with pytest.raises(Unfixable):
        insert_before(place_of(file, "elif b"), "new()")


def test_a_block_takes_the_indentation_and_the_line_ends_of_the_file():
    file = file_of_text("def f():\r\n  here()\r\n")
    assert done(file, insert_before(place_of(file, "here"), "if x:\n    new()\n")) == (
        "def f():\r\n  if x:\r\n    new()\r\n  here()\r\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("here()\n", "here()\nnew()\n"),
        ("here()", "here()\nnew()"),
        ("here(\n    1,\n)  # why\nb()\n", "here(\n    1,\n)  # why\nnew()\nb()\n"),
        ("here(); b()\n", "here(); new(); b()\n"),
        ("if x: here()\n", "if x: here(); new()\n"),
        ("if here:\n    a()\n\nb()\n", "if here:\n    a()\nnew()\n\nb()\n"),
        ("if x:\n    here()\nelse:\n    b()\n", "if x:\n    here()\n    new()\nelse:\n    b()\n"),
    ],
)
def test_insert_after(before, after):
    file = file_of_text(before)
    assert done(file, insert_after(place_of(file, "here"), "new()")) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("for x in y:\n    a()\n", "for x in y:\n    new()\n    a()\n"),
        ("for x in y: a()\n", "for x in y: new(); a()\n"),
        ("for x in y:\n    # why\n    a()\n", "for x in y:\n    new()\n    # why\n    a()\n"),
    ],
)
def test_insert_first(before, after):
    file = file_of_text(before)
    assert done(file, insert_first(file, node_of(file, code.For, "for").body, "new()")) == after


def test_insert_first_comes_after_the_docstring():
    file = file_of_text('def f():\n    """What it does."""\n\n    a()\n')
    assert done(file, insert_first(file, node_of(file, code.Function, "def").body, "new()")) == (
        'def f():\n    """What it does."""\n    new()\n\n    a()\n'
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a()\n# why\nhere()\nb()\n", "a()\nb()\n"),
        ("if x:\n    here()  # why\n", "if x:\n    pass  # why\n"),
        ("a()\nhere()", "a()\n"),
    ],
)
def test_remove(before, after):
    file = file_of_text(before)
    assert done(file, remove(place_of(file, "here"))) == after


def test_remove_leaves_what_stands_on_the_same_line():
    file = file_of_text("a(); here()\n")
    with pytest.raises(Unfixable, match="same line"):
        remove(place_of(file, "here"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if x:\n    here()  # why\n", "if x:\n    one()\n    two()  # why\n"),
        ("a(); here()\n", "a(); one(); two()\n"),
    ],
)
def test_replace_statement(before, after):
    file = file_of_text(before)
    assert done(file, replace_statement(place_of(file, "here"), "one()\ntwo()\n")) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("here()\n", "if g:\n    here()\n"),
        ("a()\n# why\nhere(\n    1\n)  # so\n", "a()\n# why\nif g:\n    here(\n        1\n    )  # so\n"),
        ("here('''\nx\n  y''')\n", "if g:\n    here('''\nx\n  y''')\n"),
        ("def f():\n\there()\n\tb()\n", "def f():\n\tif g:\n\t\there()\n\tb()\n"),
        ("here()\r\n", "if g:\r\n    here()\r\n"),
        ("with here:\n    a()\n\n    b()\n", "if g:\n    with here:\n        a()\n\n        b()\n"),
    ],
)
def test_wrap(before, after):
    file = file_of_text(before)
    assert done(file, wrap(place_of(file, "here"), "if g:")) == after


def test_wrap_a_stretch():
    file = file_of_text("here()\nb()\nlast()\nc()\n")
    assert done(file, wrap(place_of(file, "here"), "if g:", place_of(file, "last"))) == (
        "if g:\n    here()\n    b()\n    last()\nc()\n"
    )


@pytest.mark.parametrize("text", ["a(); here()\n", "if x: here()\n", "here(); a()\n"])
def test_wrap_needs_lines_of_its_own(text):
    file = file_of_text(text)
    with pytest.raises(Unfixable):
        wrap(place_of(file, "here"), "if g:")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if g:\n    here()\n    b()\nc()\n", "here()\nb()\nc()\n"),
        ("if g:  # why\n    here()\n", "# why\nhere()\n"),
        ("if (g and\n        h):\n    here()\n", "here()\n"),
        ("def f():\n\tif g:\n\t\there()\n", "def f():\n\there()\n"),
        ('if g:\n    here("""\n    x\n""")\n', 'here("""\n    x\n""")\n'),
    ],
)
def test_unwrap(before, after):
    file = file_of_text(before)
    assert done(file, unwrap(place_of(file, "if g") if "if g" in before else place_of(file, "if ("))) == after


@pytest.mark.parametrize("text", ["if g: here()\n", "if g:\n    here()\nelse:\n    b()\n"])
def test_unwrap_has_its_limits(text):
    file = file_of_text(text)
    with pytest.raises(Unfixable):
        unwrap(place_of(file, "if g"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # alone
        ("if g:\n    here()\n", "here()\n"),
        # at the head of the arm, and at its end
        ("if g:\n    here()\n    b()\n", "here()\nif g:\n    b()\n"),
        ("if g:\n    b()\n    here()\n", "if g:\n    b()\nhere()\n"),
        # in the middle: the guard is asked twice
        ("if g:\n    a()\n    here()\n    b()\n", "if g:\n    a()\nhere()\nif g:\n    b()\n"),
        # with what it reads, and what that reads
        (
            "if g:\n    x = one()\n    y = x + 1\n    here(y)\n    b(x)\n",
            "x = one()\ny = x + 1\nhere(y)\nif g:\n    b(x)\n",
        ),
        # with its comment
        ("if g:\n    # why\n    here()  # so\n    b()\n", "# why\nhere()  # so\nif g:\n    b()\n"),
        # the other arm stays where it is
        ("if g:\n    here()\nelse:\n    b()\n", "here()\nif g:\n    pass\nelse:\n    b()\n"),
        # indented
        ("def f():\n\tif g:\n\t\there()\n\t\tb()\n", "def f():\n\there()\n\tif g:\n\t\tb()\n"),
        ("if g:\r\n    here(\r\n        1,\r\n    )\r\n    b()\r\n", "here(\r\n    1,\r\n)\r\nif g:\r\n    b()\r\n"),
    ],
)
def test_move_out(before, after):
    file = file_of_text(before)
    assert done(file, move_out(place_of(file, "here"), place_of(file, "if g"))) == after


@pytest.mark.parametrize(
    "text",
    [
        "if g: here()\n",
        "if g:\n    if h:\n        here()\n    b()\n",
        "if g:\n    a()\nelse:\n    here()\n",
        "if g:\n    x = one()\n    z = 3\n    here(x)\n",
    ],
)
def test_move_out_has_its_limits(text):
    file = file_of_text(text)
    with pytest.raises(Unfixable):
        move_out(place_of(file, "here"), place_of(file, "if g"))


def test_move_after():
    file = file_of_text("a()\n# why\nhere()\nb(\n    1\n)\nc()\n")
    assert done(file, move_after([place_of(file, "here")], place_of(file, "b("))) == (
        "a()\nb(\n    1\n)\n# why\nhere()\nc()\n"
    )


def test_move_after_the_last_line():
    file = file_of_text("here()\nb()")
    assert done(file, move_after([place_of(file, "here")], place_of(file, "b("))) == "b()\nhere()"
