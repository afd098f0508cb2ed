"""Edits of notebooks: only the changed lines of the changed cells differ."""

from __future__ import annotations

import json

import pytest

from ddl_lint.finding import Edit
from ddl_lint.fixes.notebooks import cell_sources, edited_notebook
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.source import Location, document_from_text

CELLS = [
    ("markdown", ["# Title\n", "text"]),
    ("code", ["%matplotlib inline\n", "import torch\n", "x = 'größe'"]),
    ("code", ["!ls\n", "y = x\n", "if y:\n", "    print(y)"]),
]


def notebook(**options) -> str:
    cells = [{"cell_type": kind, "metadata": {}, "source": source} for kind, source in CELLS]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, **options) + "\n"


def edited(text: str, old: str, new: str) -> str:
    document = document_from_text("/p/n.ipynb", text)
    start = document.text.index(old)
    return edited_notebook(document, text, [Edit(Location("/p/n.ipynb", start, start + len(old)), new)])


@pytest.mark.parametrize(
    "options",
    [
        {"indent": 1, "ensure_ascii": False},
        {"indent": 4},
        {"indent": "\t"},
        {},
        {"separators": (",", ":")},
    ],
    ids=["as Jupyter writes it", "escaped", "tabs", "one line", "compact"],
)
@pytest.mark.parametrize("head", ["", "\ufeff"], ids=["no mark", "byte order mark"])
def test_only_the_changed_line_differs(options, head):
    before = head + notebook(**options)
    after = edited(before, "y = x", "y = x.item()\nz = 1")
    line = json.dumps("y = x\n")
    assert line in before
    replaced = [json.dumps(each) for each in ("y = x.item()\n", "z = 1\n")]
    prefix, suffix = before.split(line)
    assert after.startswith(prefix + replaced[0])
    assert after.endswith(replaced[1] + suffix)
    assert dict(cell_sources(after))[3] == "!ls\ny = x.item()\nz = 1\nif y:\n    print(y)"


def test_the_last_line_of_a_cell():
    assert dict(cell_sources(edited(notebook(indent=1), "print(y)", "print(1)")))[3].endswith("    print(1)")


def test_new_text_is_escaped_where_all_of_the_file_is():
    assert "\\u00fc" in edited(notebook(), "y = x", "y = 'ü'")
    assert "ü" in edited(notebook(ensure_ascii=False), "y = x", "y = 'ü'")


def test_a_cell_that_is_one_string():
    text = json.dumps({"cells": [{"cell_type": "code", "source": "x = 1\ny = 2"}], "nbformat": 4})
    assert json.loads(edited(text, "y = 2", "y = 3"))["cells"][0]["source"] == "x = 1\ny = 3"


def test_magics_are_not_touched():
    text = notebook()
    document = document_from_text("/p/n.ipynb", text)
    start = document.text.index("y = x") - 2
    with pytest.raises(Unfixable, match="magic"):
        edited_notebook(document, text, [Edit(Location("/p/n.ipynb", start, start + 3), "")])


def test_no_edit_goes_over_the_end_of_a_cell():
    text = notebook()
    document = document_from_text("/p/n.ipynb", text)
    start = document.text.index("x = 'gr")
    with pytest.raises(Unfixable, match="end of a cell"):
        edited_notebook(document, text, [Edit(Location("/p/n.ipynb", start, start + 20), "")])
