"""Documents: lines, columns, and the units of editors."""

from __future__ import annotations

import pickle

import pytest

from ddl_lint.source import ColumnUnit, Document, column_from_units, column_to_units
from ddl_lint.source.span import Location


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_positions_and_offsets_are_inverse(newline: str) -> None:
    document = Document("a.py", newline.join(["first", "", "third é 🔥", "last"]))
    assert document.newline == newline
    assert document.line_count == 4
    assert [document.line_text(line) for line in range(1, 5)] == ["first", "", "third é 🔥", "last"]
    for line in range(1, 5):
        for column in range(1, len(document.line_text(line)) + 2):
            assert document.position(document.offset(line, column)) == (line, column)


def test_mixed_line_ends() -> None:
    document = Document("a.py", "a\rb\r\nc\n")
    assert document.line_count == 4
    assert [document.line_text(line) for line in range(1, 5)] == ["a", "b", "c", ""]
    assert document.position(3) == (2, 2)


def test_form_feed_and_unicode_separators_end_no_line() -> None:
    assert Document("a.py", "a\fb\x0bc\u2028d\x85e").line_count == 1


def test_places_outside_the_text_are_clamped() -> None:
    document = Document("a.py", "ab\ncd")
    assert document.position(-1) == (1, 1)
    assert document.position(99) == (2, 3)
    assert document.offset(1, 99) == 2
    assert document.offset(99, 1) == 5
    assert document.offset(0, 1) == 0
    assert document.line_text(0) == document.line_text(3) == ""


def test_empty_text_has_one_line() -> None:
    document = Document("a.py", "")
    assert (document.line_count, document.position(0), document.newline) == (1, (1, 1), "\n")


def test_survives_pickling_with_and_without_its_index() -> None:
    document = Document("a.py", "a\nb")
    for _ in range(2):
        copy = pickle.loads(pickle.dumps(document))
        assert copy == document
        assert copy.position(2) == document.position(2) == (2, 1)


def test_line_index_is_made_once() -> None:
    document = Document("a.py", "x = 1\n" * 20_000)
    assert document.position(6 * 19_999 + 2) == (20_000, 3)
    assert document._line_starts is document._line_starts  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(("unit", "units"), [("utf-8", 10), ("utf-16", 5), ("utf-32", 4)])
def test_emoji_columns(unit: str, units: int) -> None:
    line = "aé🔥中x"
    assert column_to_units(line, 4, ColumnUnit(unit)) == units
    assert column_from_units(line, units, ColumnUnit(unit)) == 4


def test_columns_inside_a_character_mean_its_start() -> None:
    assert column_from_units("a🔥b", 2, ColumnUnit.UTF16) == 1
    assert column_from_units("a🔥b", 3, ColumnUnit.UTF16) == 2
    assert [column_from_units("a🔥b", units, ColumnUnit.UTF8) for units in range(2, 6)] == [1, 1, 1, 2]


@pytest.mark.parametrize("unit", list(ColumnUnit))
@pytest.mark.parametrize("line", ["abc", "é🔥c"])
def test_columns_past_the_line_mean_its_end(unit: ColumnUnit, line: str) -> None:
    assert column_from_units(line, 99, unit) == 3
    assert column_to_units(line, 99, unit) == column_to_units(line, 3, unit)
    assert column_from_units(line, -1, unit) == column_to_units(line, -1, unit) == 0


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("for x in xs:\n    f(x)\n", "for x in xs"),
        ("dist.all_reduce(\n    x,\n)", "dist.all_reduce"),
        ("f(x, \\\r\n  y)", "f(x"),
        ("one line", "one line"),
    ],
)
def test_a_place_on_one_line(text: str, first: str) -> None:
    document = Document("a.py", f"pass\n{text}")
    place = document.on_one_line(Location("a.py", 5, 5 + len(text)))
    assert document.text[place.start : place.end] == first
