"""The store of texts: lines end where the protocol says, columns count what the client counts."""

from __future__ import annotations

import random
import re

import pytest
from lsprotocol import types

from ddl_lint.source import ColumnUnit
from ddl_lint_server.texts import Texts, offset_at, path_of

URI = "file:///a.py"
ODD = ["\f", "\x0b", "\x1c", "\x85", "\u2028", "\u2029"]
"""What some libraries take for the end of a line, and no editor does."""


def opened(text: str, unit: ColumnUnit = ColumnUnit.UTF16) -> Texts:
    texts = Texts()
    texts.unit = unit
    texts.open(types.TextDocumentItem(URI, "python", 1, text))
    return texts


def edit(start: tuple[int, int], end: tuple[int, int], text: str) -> types.TextDocumentContentChangePartial:
    return types.TextDocumentContentChangePartial(types.Range(types.Position(*start), types.Position(*end)), text)


def text_of(texts: Texts) -> str:
    document = texts.get(URI)
    assert document is not None
    return document.text


@pytest.mark.parametrize("odd", ODD)
def test_only_line_ends_end_lines(odd: str):
    texts = opened(f"a = 1{odd}b = 2\nc = 3\n")
    texts.change(URI, 2, [edit((1, 0), (1, 1), "d")])
    assert text_of(texts) == f"a = 1{odd}b = 2\nd = 3\n"


def test_all_three_line_ends_count():
    texts = opened("a\rb\r\nc\nd")
    texts.change(URI, 2, [edit((1, 0), (1, 1), "B"), edit((2, 0), (2, 1), "C"), edit((3, 0), (3, 1), "D")])
    assert text_of(texts) == "a\rB\r\nC\nD"


def test_a_line_end_is_no_part_of_its_line():
    texts = opened("ab\r\ncd\r\n")
    texts.change(URI, 2, [edit((0, 99), (0, 99), "!")])
    assert text_of(texts) == "ab!\r\ncd\r\n"


@pytest.mark.parametrize(("unit", "width"), [(ColumnUnit.UTF8, 4), (ColumnUnit.UTF16, 2), (ColumnUnit.UTF32, 1)])
def test_columns_count_in_the_agreed_unit(unit: ColumnUnit, width: int):
    texts = opened("🚀x\n", unit)
    texts.change(URI, 2, [edit((0, width), (0, width + 1), "y")])
    assert text_of(texts) == "🚀y\n"


def test_changes_of_one_message_follow_each_other():
    texts = opened("one\n")
    texts.change(URI, 2, [edit((0, 0), (0, 0), "\n"), edit((1, 0), (1, 3), "two")])
    assert text_of(texts) == "\ntwo\n"


@pytest.mark.parametrize(
    ("start", "end", "outcome"),
    [
        ((9, 9), (9, 9), "ab\n!"),
        ((0, 2), (0, 0), "!\n"),
        ((0, 0), (9, 0), "!"),
    ],
)
def test_nonsense_positions_do_no_harm(start: tuple[int, int], end: tuple[int, int], outcome: str):
    texts = opened("ab\n")
    texts.change(URI, 2, [edit(start, end, "!")])
    assert text_of(texts) == outcome


def test_the_whole_text_may_be_replaced():
    texts = opened("ab\n")
    texts.change(URI, 7, [types.TextDocumentContentChangeWholeDocument("new")])
    document = texts.get(URI)
    assert document is not None and (document.text, document.version) == ("new", 7)


def test_each_state_has_a_higher_stamp():
    texts = opened("a")
    first = texts.get(URI)
    second = texts.change(URI, 1, [])
    assert first is not None and second is not None and second.stamp > first.stamp


def test_what_is_not_open_is_not_changed():
    texts = opened("a")
    texts.close(URI)
    assert texts.change(URI, 2, [edit((0, 0), (0, 0), "b")]) is None
    assert texts.close(URI) is None


def reference(text: str, line: int, column: int, unit: ColumnUnit) -> int:
    """The offset of a position, found the slow way."""
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
    if line >= len(starts):
        return len(text)
    rest = text[starts[line] :]
    content = re.split(r"\r\n|\r|\n", rest, maxsplit=1)[0]
    for number in range(len(content) + 1):
        encoded = content[:number].encode({"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[unit.value])
        units = len(encoded) // {"utf-8": 1, "utf-16": 2, "utf-32": 4}[unit.value]
        if units == column:
            return starts[line] + number
    return starts[line] + len(content)


@pytest.mark.parametrize("unit", ColumnUnit)
@pytest.mark.parametrize("seed", range(20))
def test_random_edits_agree_with_the_slow_way(unit: ColumnUnit, seed: int):
    chance = random.Random(seed)
    letters = ["a", "é", "€", "🚀", "\n", "\r", "\r\n", "\f", "\u2028", "    "]
    expected = "".join(chance.choices(letters, k=60))
    texts = opened(expected, unit)
    for version in range(2, 40):
        document = texts.get(URI)
        assert document is not None
        places: list[types.Position] = []
        while len(places) < 2:
            place = types.Position(chance.randrange(12), chance.randrange(14))
            offset = offset_at(document.document, place, unit)
            if offset == reference(expected, place.line, place.character, unit):
                places.append(place)
            else:  # only inside of a letter may both differ
                line = document.document.line_text(place.line + 1)
                assert not line.isascii()
        text = "".join(chance.choices(letters, k=chance.randrange(4)))
        ends = sorted(reference(expected, place.line, place.character, unit) for place in places)
        expected = expected[: ends[0]] + text + expected[ends[1] :]
        texts.change(URI, version, [types.TextDocumentContentChangePartial(types.Range(*places), text)])
        assert text_of(texts) == expected


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///home/me/gr%C3%B6%C3%9Fe%201/a.py", "/home/me/größe 1/a.py"),
        ("file:///home/me/../you/a.py", "/home/you/a.py"),
        ("untitled:Untitled-1", "/place/Untitled-1.py"),
        ("untitled:/etc/passwd", "/place/etc_passwd.py"),
        ("untitled:../../x", "/place/.._.._x.py"),
        ("git:/home/me/a.py?ref", ""),
        ("https://example.org/a.py", ""),
        ("file:///a%00b.py", ""),
        ("", ""),
    ],
)
def test_paths_of_uris(uri: str, path: str):
    assert path_of(uri, "/place") == path
