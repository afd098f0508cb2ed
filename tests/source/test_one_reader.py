"""Files of a checked folder are opened in one place, and TOML and INI texts are parsed in one."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_OPENING = {"open", "fdopen", "read_text", "read_bytes", "readlines", "copy", "copyfile", "copytree", "copy2"}
_PARSING = {"tomllib", "tomli", "configparser", "fileinput", "linecache", "tokenize"}
_READER = "ddl_lint"
"""Names that are imported from here are functions of ours, which are looked at where they are."""

_HINT = re.compile(r"open|read_|readlines|shutil|tomllib|tomli|configparser|fileinput|linecache|tokenize")

OWN_FILES = {
    "ddl_lint/jobs/known.py": "facts of ours",
    "ddl_lint/output": "pages and pictures of ours",
    "ddl_lint/pages": "rules, and the repository that the documentation is made in",
    "ddl_lint/project/config_file.py": "the schema",
    "ddl_lint/registry": "rules that are installed",
    "ddl_lint/storage": "the cache",
}
OTHERS = {
    "ddl_lint/commands/console.py": "streams",
    "ddl_lint/commands/output_file.py": "writes outputs, and looks at what is there",
    "ddl_lint/commands/new_rule.py": "writes the files of a rule",
    "ddl_lint/distributions.py": "metadata of installed packages",
    "ddl_lint/fixes": "writes files, and reads the journal of that",
    "ddl_lint/memory_limit.py": "a file of the system",
    "ddl_lint/source/regular_file.py": "the one reader",
    "ddl_lint/source/toml_text.py": "the one parser of TOML",
    "server/ddl_lint_server/browser.py": "writes a page",
    "server/ddl_lint_server/command.py": "streams",
    "server/ddl_lint_server/methods": "documents that an editor opens",
    "server/ddl_lint_server/notebooks.py": "documents that an editor opens",
    "server/ddl_lint_server/pages.py": "writes a page",
}

_ALLOWED = {**OWN_FILES, **OTHERS}


def _openings(tree: ast.Module) -> Iterator[ast.AST]:
    """What opens files, or brings in what does."""
    ours = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_READER)
        for alias in node.names
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="open")):
                yield node
            case ast.Call(func=ast.Name(id=name)) if name in _OPENING - ours - {"copy"}:
                yield node
            case ast.Call(func=ast.Attribute(attr=name, value=owner)) if name in _OPENING and not _is_copy(owner, name):
                yield node
            case ast.Import(names=names) if any(alias.name in _PARSING for alias in names):
                yield node
            case ast.ImportFrom(module=name) if name in _PARSING:
                yield node
            case _:
                pass


def _is_copy(owner: ast.expr, name: str) -> bool:
    """Whether a call copies an object, no file."""
    return name.startswith("copy") and not (isinstance(owner, ast.Name) and owner.id == "shutil")


@functools.cache
def _found() -> dict[str, int]:
    """The modules of ours that open files, each with the line."""
    found: dict[str, int] = {}
    for package in ("ddl_lint", "server", "rules"):
        for file in sorted((_ROOT / package).rglob("*.py")):
            parts, text = file.relative_to(_ROOT).parts, file.read_text(encoding="utf-8")
            if {"bad", "good"}.isdisjoint(parts) and _HINT.search(text):
                for node in _openings(ast.parse(text)):
                    found.setdefault("/".join(parts), getattr(node, "lineno", 0))
    return found


def _allows(place: str, name: str) -> bool:
    return name == place or name.startswith(f"{place}/")


def test_files_are_opened_by_the_one_reader():
    others = {name: line for name, line in _found().items() if not any(_allows(place, name) for place in _ALLOWED)}
    assert others == {}, "use read_bytes or read_text of ddl_lint.source, read_toml or read_ini"


def test_each_exception_is_one():
    found = _found()
    assert [place for place in _ALLOWED if not any(_allows(place, name) for name in found)] == []


@pytest.mark.parametrize(
    "line",
    [
        "open(p)",
        "import io\nio.open(p)",
        "p.open()",
        "p.read_text()",
        "p.read_bytes()",
        "import os\nos.open(p, 0)",
        "from pathlib import Path\nPath(p).read_text()",
        "import tomllib",
        "from configparser import ConfigParser",
        "import shutil\nshutil.copyfile(p, q)",
    ],
)
def test_what_opens_a_file_is_seen(line):
    assert list(_openings(ast.parse(line)))


def test_the_reader_is_no_exception():
    assert not list(_openings(ast.parse("from ddl_lint.source import read_text\nread_text(p)\nx.copy()")))
