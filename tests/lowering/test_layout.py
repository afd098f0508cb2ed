"""Where nodes stand: the sums of `layout` against libcst's own provider."""

from __future__ import annotations

import json
import random
import re
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from ddl_lint.lowering.layout import COMPOUND_STATEMENTS, EXPRESSIONS, PARTS, SMALL_STATEMENTS, Extents, place_nodes
from ddl_lint.lowering.slow_layout import place_nodes_slowly
from ddl_lint.source import document_from_bytes
from ddl_lint.syntax.parse import parse

EVERY_FORM = (Path(__file__).parent / "every_form.txt").read_text(encoding="utf-8")
LIBRARY = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))


def by_provider(module: cst.Module, text: str) -> Extents:
    """The extents of all nodes as libcst's provider gives them, line and column made offsets.

    Not those of parameters: there it takes the name for the whole.
    """
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text)), len(text)]
    ranges = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    return {
        id(node): (starts[found.start.line - 1] + found.start.column, starts[found.end.line - 1] + found.end.column)
        for node, found in ranges.items()
        if not isinstance(node, cst.Param)
    }


def nodes_of(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from nodes_of(child)


def placed(text: str) -> tuple[cst.Module, Extents]:
    module = cst.parse_module(text)
    extents = place_nodes(module, text)
    assert extents is not None, "the widths do not add up to the length of the text"
    return module, extents


def assert_equal_to_the_provider(text: str) -> None:
    module, extents = placed(text)
    expected = by_provider(module, text)
    wrong = {text[slice(*extent)] for key, extent in extents.items() if expected.get(key, extent) != extent}
    assert not wrong
    assert len(expected.keys() & extents.keys()) >= 0.8 * len(extents)


@pytest.mark.slow
@pytest.mark.parametrize("path", random.Random(7).sample(LIBRARY, 40), ids=lambda path: path.stem)
def test_positions_in_the_standard_library(path: Path) -> None:
    text = path.read_bytes().decode("utf-8").replace("\f", " ")
    assert_equal_to_the_provider(text)


def test_positions_of_every_form() -> None:
    assert_equal_to_the_provider(EVERY_FORM)


def test_every_form_is_complete() -> None:
    """The file uses each node type of the table, so that a wrong row cannot hide."""
    used = {type(node).__name__ for node in nodes_of(cst.parse_module(EVERY_FORM))}
    rows = {*EXPRESSIONS, *SMALL_STATEMENTS, *COMPOUND_STATEMENTS, *PARTS}
    assert {name for name in rows if hasattr(cst, name)} <= used


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
@pytest.mark.parametrize("indent", ["\t", " ", "        "])
def test_line_ends_and_indents(newline: str, indent: str) -> None:
    text = "class A:\n    def f(self):\n        if a:\n            return (1,\n  2)\n\n    # c\n    x = 1\n"
    text = text.replace("    ", indent).replace("\n", newline)
    if newline == "\r":
        text = text.replace("\r", "\n")  # the parser is given such line ends as plain ones
    assert_equal_to_the_provider(text)


@pytest.mark.parametrize(
    "text",
    ["", "\n", "# only a comment", "x", "if x:\n    y\n  # c\n", "if x:\r\n\ty\r\n\r\n", "x = 1;\n"],
)
def test_widths_add_up(text: str) -> None:
    assert place_nodes(cst.parse_module(text), text) is not None


def test_a_text_that_does_not_fit_is_refused() -> None:
    assert place_nodes(cst.parse_module("x = 1\n"), "x  = 1\n") is None


@pytest.mark.parametrize(
    "content",
    [
        b"import a\r\nif a:\r\n\tb\r\n",
        b"\fimport a\n\n\fdef f():\n    x = '\f'\n    \f\n    return x\n",
        b"if a:\n        b\n\tc\n",
        b"\xef\xbb\xbfx = '\xc3\xa9' # \xf0\x9f\x94\xa5\ny = 1",
        b"x = 1\rif x:\r    y\r",
    ],
)
def test_widths_add_up_for_what_the_parser_gives(content: bytes) -> None:
    for chunk in parse(document_from_bytes("a.py", content)).chunks:
        assert place_nodes(chunk.module, chunk.source) is not None


def test_widths_add_up_in_a_notebook() -> None:
    cells = [
        {"cell_type": "code", "source": ["%matplotlib inline\n", "import torch\n", "x = f(1)"], "metadata": {}},
        {"cell_type": "markdown", "source": "text", "metadata": {}},
        {"cell_type": "code", "source": "!pip install a\nif x:\n    y", "metadata": {}},
    ]
    content = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()
    document = document_from_bytes("a.ipynb", content)
    chunks = parse(document).chunks
    names: list[str] = []
    for chunk in chunks:
        extents = place_nodes(chunk.module, chunk.source)
        assert extents is not None
        for statement in chunk.body:
            start, end = extents[id(statement)]
            names.append(document.text[chunk.start + start : chunk.start + end])
    assert names == ["import torch", "x = f(1)", "if x:\n    y"]


@pytest.mark.parametrize("text", [EVERY_FORM, "if x:\r\n\ty = (1,\r\n  2)\r\n"], ids=["every form", "crlf"])
def test_the_slow_way_gives_the_same(text: str) -> None:
    module, extents = placed(text)
    slow = place_nodes_slowly(module, text)
    parameters = {id(node) for node in nodes_of(module) if isinstance(node, cst.Param)}
    assert all(slow[key] == extent for key, extent in extents.items() if key not in parameters)
    assert all(slow[key][0] == extents[key][0] for key in parameters)
