"""The lines of a notebook's file, which is JSON, that its code is on."""

from __future__ import annotations

import json

import pytest

from ddl_lint.source import Document, document_from_bytes

CODE = "import torch\n\n%matplotlib inline\nmodel = torch.nn.Linear(1, 1)  # größe\n"
NEXT = "x = model(3)"


def cell(source: object) -> dict[str, object]:
    return {"cell_type": "code", "id": "a", "outputs": [{"text": [CODE, '"source": []']}], "source": source}


def content(*cells: object) -> dict[str, object]:
    return {"metadata": {"cells": [cell("no")]}, "nbformat": 4, "cells": list(cells)}


def document(text: str) -> Document:
    return document_from_bytes("a.ipynb", text.encode())


def line_of(document: Document, part: str) -> int | None:
    found = document.cell_at(document.text.index(part))
    assert found is not None
    return found.line_in_file


LISTS = content({"cell_type": "markdown", "source": CODE}, cell(CODE.splitlines(keepends=True)), cell([NEXT]))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("indent", [0, 1, 4, None])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_each_line_is_found_in_the_file_as_it_is_on_disk(indent, newline, ascii_only):
    text = json.dumps(LISTS, indent=indent, ensure_ascii=ascii_only).replace("\n", newline)
    lines = text.split("\n")
    doc = document(text)
    for part in ("import torch", "model = torch", "x = model"):
        line = line_of(doc, part)
        assert line is not None
        assert part in lines[line - 1]
        before = "".join(lines[: line - 1])
        assert before.count(part) == text[: text.index(lines[line - 1])].count(part)
    if indent is not None:
        assert len({line_of(doc, part) for part in ("import torch", "model = torch", "x = model")}) == 3


def test_a_cell_in_one_string_is_on_one_line():
    text = json.dumps(content(cell(CODE), cell(NEXT)), indent=1)
    doc = document(text)
    first, second = (number for number, line in enumerate(text.split("\n"), 1) if line.startswith('   "source": "'))
    assert {line_of(doc, "import torch"), line_of(doc, "model = torch")} == {first}
    assert line_of(doc, "x = model") == second


def test_lines_that_share_a_string_or_fill_several_are_found():
    source = '[\n"a = 1\\nb = 2\\n",\n"c = ",\n"", "3\\r",\n"\\nd = 4"]'
    doc = document(f'{{"nbformat": 4, "cells": [{{"cell_type": "code", "source": {source}}}]}}')
    assert [line_of(doc, part) for part in ("a =", "b =", "c =", "d =")] == [2, 2, 3, 5]
    assert doc.text == "a = 1\nb = 2\nc = 3\r\nd = 4\n"


def test_the_last_of_several_members_of_a_name_counts_as_in_the_text():
    doc = document('{"nbformat": 4,\n"cells": [],\n"cells": [{"cell_type": "code",\n"source": "a",\n"source": "b"}]}')
    assert doc.text == "b\n"
    assert line_of(doc, "b") == 5


@pytest.mark.parametrize("odd", [None, 3, "source", [], {"source": {"a": [1]}}, {"source": [1, None, ["x"]]}])
def test_odd_cells_do_not_move_the_lines_of_others(odd):
    text = json.dumps(content(odd, cell([NEXT]), odd), indent=1)
    line = line_of(document(text), NEXT)
    assert line is not None and NEXT in text.split("\n")[line - 1]


def test_every_notebook_that_is_read_tells_all_of_its_lines():
    """In any layout: with blanks of all kinds between the parts."""
    text = json.dumps(LISTS, indent="\t", separators=("\r\n,", " :\n")).replace("\n", "\n \t\r\n")
    doc = document(text)
    for span in doc.cells:
        assert len(span.file_lines) >= doc.text[slice(*span.span)].count("\n")
