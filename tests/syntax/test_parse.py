"""Parsing chunk by chunk, and broken code."""

from __future__ import annotations

import ast
import random
import sysconfig
from pathlib import Path

import libcst as cst
import pytest

from ddl_lint.source import Document, SourceError, document_from_bytes, load
from ddl_lint.syntax.parse import SyntaxTree, parse


def read(text: str) -> SyntaxTree:
    tree = parse(Document("a.py", text))
    assert "".join(text[chunk.start : chunk.end] for chunk in tree.chunks) == text
    return tree


def code(tree: SyntaxTree) -> str:
    return "".join(chunk.module.code for chunk in tree.chunks)


def fault(text: str) -> tuple[str, str]:
    """The marked text and the message of the only fault."""
    (error,) = read(text).errors
    return text[slice(*error.span)], error.message


@pytest.mark.parametrize("text", ["", "\n", "# only\n", "  \n\n", "\f"])
def test_nothing_to_parse(text: str) -> None:
    tree = read(text)
    assert not tree.errors
    assert not [statement for chunk in tree.chunks for statement in chunk.body]


@pytest.mark.parametrize(
    "text",
    [
        "x = 1",
        "x = 1\r\nif x:\r\n    y\r\n",
        "x = 1\rif x:\r    y\r",
        "if x:\n\ty\n\tz\n",
        "x = 1\n\f\ndef f():\n    pass\n\f\fclass A:\n    x = '\f'\n    \f\n",
        "x = 1 \\\n\n",
        "def f():\n    x\n\n  \n    # c\n \n\n# d\nclass A: pass\n  ",
        "\ufeffx = 1\n",
        "s = '\ud800'\n",
        's = """\n# a heading, no comment"""\n',
        "type A[T = int] = list[T]\nmatch x:\n    case f'{a['b']}': pass\n",
    ],
)
def test_whole_code_has_no_fault(text: str) -> None:
    tree = read(text)
    assert not tree.errors
    for chunk in tree.chunks:
        assert chunk.module.code == chunk.source
        assert len(chunk.source) <= chunk.end - chunk.start


def test_offsets_hold_whatever_is_replaced() -> None:
    text = "\fx = 1\r\n\fclass A:\r\n    y = 2\r\n"
    tree = read(text)
    assert [chunk.start + chunk.source.index("y") for chunk in tree.chunks if "y" in chunk.source] == [text.index("y")]


def test_coding_line() -> None:
    tree = parse(document_from_bytes("a.py", b"# coding: latin-1\nx = '\xe9'\n"))
    assert code(tree).endswith("x = 'é'\n")


def test_a_fault_costs_only_its_line() -> None:
    text = "import a\n\ndef f(x):\n    y = a.b(\n    return a.c(y)\n\ndef g():\n    a.d()\n"
    tree = read(text)
    assert [text[slice(*error.span)] for error in tree.errors] == ["("]
    assert code(tree) == "import a\n" + "def f(x):\n    y=_     \n    return a.c(y)\n" + "def g():\n    a.d()\n"
    assert [text[slice(*span)] for chunk in tree.chunks for span in chunk.damaged] == ["y = a.b("]


def test_each_broken_chunk_has_one_fault() -> None:
    tree = read("x = = 1\ny = 2\ndef f():\n    a b\n    c d\nz = )\n")
    assert len(tree.errors) == 3


@pytest.mark.parametrize(
    ("text", "marked", "message"),
    [
        ("x = = 1\n", "=", "unexpected '='"),
        ("é = '🔥' = = 1\n", "=", "unexpected '='"),
        ("print 'x'\n", "'x'", "unexpected string"),
        ("if x\n    a\n", "x", "expected ':'"),
        ("class A\n    pass\n", "A", "expected ':'"),
        ("a = 1 +\n", "+", "not complete"),
        ("def f():\nx = 1\n", ":", "expected an indented block"),
        ("for a in b:\n", ":", "expected an indented block"),
        ("x = 1\n  y = 2\n", "y = 2", "unexpected indentation"),
        ("if x:\n    a\n  b\n", "  b", "indentation"),
        ("if x:\n\tif y:\n        z\n", "        z", "indentation"),
        ("x = (1]\n", "]", "does not match '('"),
        ("x = 1)\n", ")", "never opened"),
        ("x = f(1,\n", "(", "never closed"),
        ("x = 'abc\n", "'abc", "string is never closed"),
        ('x = """abc\nd\n', '"""abc', "string is never closed"),
        ("try:\n    a\nb = 1\n", "a", "'except' or 'finally'"),
        ("@deco\nx = 1\n", "x", "function or class"),
        ("else:\n    a\n", "else", "unexpected 'else'"),
        ("y = 2; x = $\n", "y = 2; x = $", "not a valid character"),
        ("x = 0777\n", "x = 0777", "leading zeros"),
    ],
)
def test_place_and_message(text: str, marked: str, message: str) -> None:
    found = fault("import a\n" + text)
    assert found[0] == marked
    assert message in found[1]


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("def f(a b):\n    return a\n", "def _():   \n    return a\n"),
        ("def f(self,\n    x = g()\n    return x\n", "def _():   \n    x = g()\n    return x\n"),
        ("class A(B:\n    x = 1\n", "class _:  \n    x = 1\n"),
        ("if rank = 0:\n    save()\nelse:\n    wait()\n", "if _:       \n    save()\nelse:\n    wait()\n"),
        ("try:\n    a()\nexcept B C:\n    c()\n", "try:\n    a()\nexcept:    \n    c()\n"),
        ("for a on b:\n    c()\n", "for _ in _:\n    c()\n"),
        ("def f():\n    return (1 +\n    a()\n", "def f():\n    return     \n    a()\n"),
        ("@deco(\ndef f():\n    a()\n", "@_    \ndef f():\n    a()\n"),
        ("if x\n    a()\n", "0   \n"),
        ("if a:\n    b = c d\n    e()\n", "if a:\n    b=_    \n    e()\n"),
        ("x.y, z = a b\r\n", "x.y, z=_    \r\n"),
    ],
)
def test_repair_keeps_places_and_scopes(text: str, repaired: str) -> None:
    (chunk,) = read(text).chunks
    assert chunk.source == repaired
    assert list(chunk.body) == list(chunk.module.body)


def test_open_triple_quote_costs_one_statement() -> None:
    tree = read('def f():\n    a()\n\nx = """\n\ndef g():\n    """Doc."""\n    b()\n')
    assert len(tree.errors) == 1
    assert "a()" in code(tree)
    assert "b()" in code(tree)


def test_cells_are_parsed_apart() -> None:
    cells = ['x = """\n', "y = (\n", "z = 3\n"]
    source = ", ".join(f'{{"cell_type": "code", "source": "{cell!s}"}}' for cell in map(_json, cells))
    document = document_from_bytes("a.ipynb", f'{{"nbformat": 4, "cells": [{source}]}}'.encode())
    tree = parse(document)
    assert [document.cell_at(error.span.start).index for error in tree.errors] == [1, 2]  # pyright: ignore[reportOptionalMemberAccess]
    assert code(tree).endswith("z = 3\n")


def _json(text: str) -> str:
    return text.replace('"', '\\"').replace("\n", "\\n")


def test_long_files() -> None:
    half = "def f(a):\n    return a.b(1, [2, 3])\n\n\n" * 2500
    assert half.count("\n") == 10_000
    tree = read(half + half)
    assert (len(tree.chunks), tree.errors) == (5000, ())
    broken = read(half + "x = (\n" + half)
    assert (len(broken.chunks), len(broken.errors)) == (5001, 1)


@pytest.mark.slow
def test_a_long_broken_statement_is_bounded() -> None:
    text = "class A:\n" + "    def f(self):\n        return g(1, 2)\n\n" * 3000 + "    x = = 1\n" + "    y = 2\n" * 3000
    tree = read(text)
    assert len(tree.errors) == 1
    assert "y = 2" in code(tree)


def _standard_library() -> list[Path]:
    folder = Path(sysconfig.get_paths()["stdlib"])
    files = sorted([*folder.glob("*.py"), *folder.glob("asyncio/*.py"), *folder.glob("email/*.py")])
    return random.Random(7).sample(files, 60)


@pytest.mark.parametrize("file", _standard_library(), ids=lambda file: file.name)
def test_chunks_equal_the_whole_parse(file: Path) -> None:
    document = load(str(file))
    tree = read(document.text)
    whole = cst.parse_module(document.text)
    assert not tree.errors
    assert sum(len(chunk.body) for chunk in tree.chunks) == len(whole.body)
    assert ast.dump(ast.parse(code(tree))) == ast.dump(ast.parse(document.text))


@pytest.mark.parametrize("seed", range(25))
def test_damaged_files_keep_their_shape(seed: int) -> None:
    dice = random.Random(seed)
    document = load(str(dice.choice([file for file in _standard_library() if file.stat().st_size < 40_000])))
    place = dice.randrange(len(document.text))
    text = (
        document.text[:place] + dice.choice(["(", ")", "'", '"""', "\n", "def", " = ", ""]) + document.text[place + 1 :]
    )
    try:
        cst.parse_module(text)
    except Exception:  # any refusal will do
        tree = read(text)
        assert tree.errors
        for chunk in tree.chunks:
            assert ast.dump(ast.parse(chunk.module.code)) == ast.dump(ast.parse(chunk.source))
            assert len(chunk.source) <= chunk.end - chunk.start
    else:
        assert not read(text).errors


def test_unreadable_files_are_source_errors(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        load(str(tmp_path))
