"""Small texts in which the places of edits are marked by words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from ddl_lint.finding import Edit
from ddl_lint.fixes.apply import edited
from ddl_lint.fixes.python.file import File, Place
from ddl_lint.fixes.python.tree import walk
from ddl_lint.lowering import lower
from ddl_lint.program import code
from ddl_lint.source import Span, document_from_text

_Node = TypeVar("_Node", bound=code.Node)


def file_of_text(text: str, path: str = "/p/a.py") -> File:
    """A file that is never written."""
    document = document_from_text(path, text)
    return File(document, lower(document, "a").module)


def place_of(file: File, word: str) -> Place:
    """The innermost statement around a word."""
    start = file.text.index(word)
    return file.place(Span(start, start + len(word)))


def node_of(file: File, kind: type[_Node], text: str) -> _Node:
    """The first node of a kind whose text begins so."""
    for node in walk(*file.module.body):
        if isinstance(node, kind) and file.source(node).startswith(text):
            return node
    raise AssertionError(f"no {kind.__name__} begins with {text!r}")


def done(file: File, *edits: Edit | Iterable[Edit]) -> str:
    """The text with edits made; the result must be Python."""
    flat = [each for group in edits for each in ([group] if isinstance(group, Edit) else group)]
    text = edited(file.text, flat)
    compile(text, "a.py", "exec")
    return text
