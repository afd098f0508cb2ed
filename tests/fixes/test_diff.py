"""Diffs: as `diff -u` writes them, notebooks by cell."""

from __future__ import annotations

import json
import re

from ddl_lint.fixes.diff import painted, unified_diff


def test_a_changed_line():
    assert unified_diff("/p/a.py", "a.py", "x = 1\ny = 2\n", "x = 1\ny = 3\n") == (
        "--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3\n"
    )


def test_nothing_changed():
    assert unified_diff("/p/a.py", "a.py", "x\n", "x\n") == ""


def test_a_last_line_without_an_end():
    assert unified_diff("/p/a.py", "a.py", "x", "y").splitlines()[3:] == [
        "-x",
        "\\ No newline at end of file",
        "+y",
        "\\ No newline at end of file",
    ]


def test_line_ends_and_form_feeds_are_those_of_the_file():
    shown = unified_diff("/p/a.py", "a.py", "a\r\n\x0cb\r\n", "a\r\n\x0cc\r\n")
    assert "-\x0cb\r\n+\x0cc\r\n" in shown


def test_colours_do_not_change_the_text():
    plain = unified_diff("/p/a.py", "a.py", "x\n", "y\n")
    coloured = painted(plain, colour=True)
    assert coloured != plain
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plain == painted(plain, colour=False)


def test_what_people_see_acts_on_nothing():
    old = "x\x1b[2J\r  ::warning::x\r\n##vso[task.complete]\n"
    shown = painted(unified_diff("/p/a.py", "a.py", old, old + "y"), colour=False)
    assert shown.splitlines()[3:] == [
        r" x\x1b[2J\r",
        r"   \x3a:warning::x",
        r" \x23#vso[task.complete]",
        "+y",
        "\\ No newline at end of file",
    ]


def test_a_notebook_is_compared_cell_by_cell():
    def notebook(last: str) -> str:
        cells = [{"cell_type": kind, "source": [text]} for kind, text in (("markdown", "# a"), ("code", last))]
        return json.dumps({"cells": cells, "nbformat": 4})

    shown = unified_diff("/p/n.ipynb", "n.ipynb", notebook("%time\nx = 1\n"), notebook("%time\nx = 2\n"))
    assert shown.startswith("--- n.ipynb:cell 2\n+++ n.ipynb:cell 2\n")
    assert " %time\n-x = 1\n+x = 2\n" in shown
