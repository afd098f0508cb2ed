"""Which statement a line belongs to."""

from __future__ import annotations

import pytest

from ddl_lint.analysis.syntactic.lines import statement_at
from ddl_lint.lowering import lower
from ddl_lint.source import Document

TEXT = """\
import os


@wrapped
def outer(
    a,
):
    '''Says
    nothing.'''
    if a:
        return inner(
            a,
        )
    # a remark
    else:
        a = 1
    try:
        pass
    except ValueError:
        b = 2
    finally:
        c = 3

    def inner():
        d = 4


class Thing:
    size = 5

    def method(self):
        e = 6


match a:
    case 1:
        f = 7
"""


@pytest.mark.parametrize(
    ("line", "expected", "function"),
    [
        ("import os", "import os", ""),
        ("@wrapped", "'''Says", "outer"),
        ("def outer(", "'''Says", "outer"),
        ("    nothing.'''", "'''Says", "outer"),
        ("    if a:", "if a:", "outer"),
        ("        return inner(", "return inner(", "outer"),
        ("            a,", "return inner(", "outer"),
        ("    else:", "a = 1", "outer"),
        ("    try:", "try:", "outer"),
        ("    except ValueError:", "b = 2", "outer"),
        ("    finally:", "c = 3", "outer"),
        ("    def inner():", "d = 4", "outer"),
        ("        d = 4", "d = 4", "outer"),
        ("class Thing:", "class Thing:", ""),
        ("    size = 5", "size = 5", ""),
        ("        e = 6", "e = 6", "Thing.method"),
        ("    case 1:", "f = 7", ""),
    ],
)
def test_a_line(line, expected, function):
    document = Document("/project/a.py", TEXT)
    found = statement_at(lower(document, "a").module, document, TEXT.splitlines().index(line) + 1)
    assert found is not None
    assert TEXT[found.statement.start : found.statement.end].startswith(expected)
    assert found.function == function


@pytest.mark.parametrize("line", ["", "    # a remark"])
def test_no_code(line):
    document = Document("/project/a.py", TEXT)
    assert statement_at(lower(document, "a").module, document, TEXT.splitlines().index(line) + 1) is None


@pytest.mark.parametrize("number", [-1, 0, 1000])
def test_lines_that_do_not_exist(number):
    document = Document("/project/a.py", TEXT)
    assert statement_at(lower(document, "a").module, document, number) is None
