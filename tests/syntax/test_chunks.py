"""Cutting a text into top-level statements."""

from __future__ import annotations

import pytest

from ddl_lint.syntax import cut
from ddl_lint.syntax.chunks import is_exact


def pieces(text: str) -> list[str]:
    chunks = cut(text)
    assert "".join(text[chunk.start : chunk.end] for chunk in chunks) == text
    return [text[chunk.start : chunk.end] for chunk in chunks]


@pytest.mark.parametrize(
    "parts",
    [
        ["# head\n\nimport a\n", "import b\n\n\n"],
        ["@deco\n@other(\n1)\n# why\n\nclass A:\n  x = 1\n# not indented\n  y = 2\n", "z = 3"],
        ["if a:\n  b\nelif c:\n  d\n# e\nelse:\n  f\n", "try:\n  a\nexcept* B:\n  c\nfinally:\n  d\n"],
        ["x = [\n1,\n2,\n]\n", 'y = """\nimport a\n"""\n', "z = f(\n'''\ndef g():\n''')\n"],
        ["x = 1 + \\\n2\n", "y = '\\\nz'\n"],
        ["s = '\"\"\"'  # it's (\n", "t = 1\n"],
        ['s = f"""{\n"x"\n}"""\n', "t = 1\n"],
        ["x = (\r\n1)\r\n", "y = 2\r\n"],
        ["  x = 1\ny = 2\n", "z = 3\n"],
    ],
)
def test_cut(parts: list[str]) -> None:
    assert pieces("".join(parts)) == parts
    assert is_exact("".join(parts), cut("".join(parts)))


def test_nothing_to_cut() -> None:
    assert pieces("") == []
    assert pieces("\n# only\n\n") == ["\n# only\n\n"]


def test_an_open_bracket_ends_where_a_statement_must_begin() -> None:
    assert pieces("x = f(\n1,\nimport a\ny = 2\n") == ["x = f(\n1,\n", "import a\n", "y = 2\n"]


def test_an_open_quote_costs_one_statement() -> None:
    assert pieces('x = """\ny = 2\nz = 3\n') == ['x = """\n', "y = 2\n", "z = 3\n"]


def test_a_doubtful_cut_is_known() -> None:
    text = "x = (\n1\n)\n"
    assert not is_exact("s = (\n1, 2)\n", cut("s = 1\n1, 2)\n"))
    assert is_exact(text, cut(text))


@pytest.mark.parametrize("line", ["f(\n", 'x = """\n', "x = '\n", "@a\n", "x = )\n", "x = [1,\n2]\n"])
def test_time_is_linear(line: str) -> None:
    assert "".join(pieces(line * 20_000)) == line * 20_000
