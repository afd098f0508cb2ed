"""Notebooks as one document."""

from __future__ import annotations

import json

import pytest

from ddl_lint.source import Cell, Document, SourceError, document_from_bytes
from ddl_lint.source.notebook import mask_magics


def notebook(*cells: dict[str, object], **top: object) -> Document:
    metadata: dict[str, object] = {}
    content: dict[str, object] = {"nbformat": 4, "metadata": metadata, "cells": list(cells), **top}
    return document_from_bytes("a.ipynb", json.dumps(content).encode())


def code(source: str | list[str], identifier: str = "") -> dict[str, object]:
    return {"cell_type": "code", "source": source, "id": identifier}


def test_code_cells_are_joined_and_found_again() -> None:
    document = notebook(
        code(["import os\n", "x = 1"], "one"), {"cell_type": "markdown", "source": "# t"}, code("y = 2\n", "three")
    )
    assert document.kind == "notebook"
    assert document.text == "import os\nx = 1\ny = 2\n\n"
    assert document.cell_at(document.text.index("x")) == Cell(1, "one", 2, 1)
    assert document.cell_at(document.text.index("y")) == Cell(3, "three", 1, 1)
    assert document.cell_at(len(document.text)) == Cell(3, "three", 3)
    assert Document("a.py", "x").cell_at(0) is None


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("%matplotlib inline\nx\n", " " * 18 + "\nx\n"),
        ("!pip install \\\n  torch\nx", " " * 14 + "\n       \nx"),
        ("if a:\n    !ls -l\nx", "if a:\n    pass  \nx"),
        ("if a:\n\t!w\nx", "if a:\n\t0 \nx"),
        ("files = !ls\n", "files = _  \n"),
        ("t, u = %timeit f()\n", "t, u = _          \n"),
        ("torch.nn?\n??x\n", " " * 9 + "\n   \n"),
        ("pip install torch\n", " " * 17 + "\n"),
        ("%%time\nx = 1", "      \nx = 1"),
        ("\n%%capture out\n!ls\nx = 1", "\n             \n   \nx = 1"),
        ("%%bash\necho 'it\n", "      \n        \n"),
    ],
)
def test_magics_are_masked_in_place(text: str, masked: str) -> None:
    assert mask_magics(text) == masked


@pytest.mark.parametrize(
    "text",
    ["x = (a\n  % b)\n", "s = '''\n%time\n!ls\n'''\n", "x = 5 \\\n  % 3\n", "# what?\n", "pip = 1\n", "a != b\n"],
)
def test_python_is_left_alone(text: str) -> None:
    assert mask_magics(text) == text


def test_shell_quotes_do_not_confuse_what_follows() -> None:
    assert mask_magics("!echo \"it's (\n%time x\nx = 1\n").endswith("\n       \nx = 1\n")


def test_cells_that_begin_with_an_indentation_are_left_to_ipython() -> None:
    document = notebook(code("import os\n"), code("\n    x = 1\n    y = 2\n"), code("# of the next\nz = 3\n"))
    assert document.text == "import os\n\n" + "\n" + " " * 9 + "\n" + " " * 9 + "\n\n" + "# of the next\nz = 3\n\n"


def test_other_languages_are_empty() -> None:
    assert notebook(code("x"), metadata={"kernelspec": {"language": "R"}}).text == ""
    assert notebook(code("x"), metadata={"language_info": {"name": "ipython"}}).text == "x\n"


def test_lone_surrogates_are_replaced() -> None:
    assert notebook(code("s = '\ud83d'")).text == "s = '\ufffd'\n"


@pytest.mark.parametrize(
    ("data", "line", "part"),
    [
        (b'{"nbformat": 4,\n "cells": [}', 2, "JSON is broken"),
        (b"[]", 1, "not an object"),
        (b'{"nbformat": 3, "worksheets": []}', None, "format 3"),
        (b'{"nbformat": 4}', None, "no cells"),
        (b"{}", None, "no cells"),
        (b"\n\xff", 2, "UTF-8"),
        (b"[" * 200_000, None, "deeply"),
    ],
)
def test_broken_notebooks(data: bytes, line: int | None, part: str) -> None:
    with pytest.raises(SourceError) as caught:
        document_from_bytes("a.ipynb", data)
    assert caught.value.line == line
    assert part in caught.value.message


def test_strange_cells_are_skipped() -> None:
    document = notebook(code("a"), **{"cells": [None, 3, {"cell_type": "code", "source": 4}, code("x")]})
    assert document.text == "\nx\n"
