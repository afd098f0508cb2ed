"""Jupyter notebooks as one document: the code cells in order, with all that is not Python masked.

A mask has the length of what it hides, so that offsets, lines and columns stay true.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from ddl_lint.source.decode import SourceError
from ddl_lint.source.document import CellSpan, Document
from ddl_lint.source.lexer import logical_line
from ddl_lint.source.notebook_lines import cell_texts
from ddl_lint.source.span import Span

_CELL_MAGIC = re.compile(r"\s*^%%[ \t]*(\w*)[^\r\n]*", re.MULTILINE)
# These cell magics run the rest of the cell as ordinary Python.
_TRANSPARENT_MAGICS = frozenset({"time", "timeit", "capture", "prun", "memit", "mprun"})
_LINE_MAGIC = re.compile(
    r"""(?P<indent>[ \t]*)(?:
        (?P<line>
            (?:[%!?]|(?:pip3?|conda|mamba|uv)[ \t]+(?:install|uninstall|update|upgrade|list|show|freeze|add)\b)
            (?:\\(?:\r\n?|\n)|[^\r\n])*             # may go on after a backslash
            | [%\w.*\[\]'"]+\?{1,2}[ \t]*(?=[\r\n]|\Z)  # name?
        )
        | (?P<target>\w[\w.,\t ]*=[ \t]*)(?P<value>(?:%{1,2}[A-Za-z]|!)(?:\\(?:\r\n?|\n)|[^\r\n])*)
    )""",
    re.VERBOSE,
)
# IPython takes the indentation of the first line away from all lines; a text of the same length cannot say so.
_INDENTED = re.compile(r"(?:[ \t]*[\r\n])*[ \t]+[^\s#]")
_VISIBLE = re.compile(r"[^\r\n]")
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


def read_notebook(path: str, data: bytes) -> Document:
    """The code of a notebook of format 4. Notebooks of other languages give an empty text. Raises `SourceError`."""
    notebook, content = _parse(path, data)
    parts: list[str] = []
    spans: list[CellSpan] = []
    start = 0
    written = cell_texts(content)
    for index, cell in _code_cells(path, notebook):
        source = _source(cell)
        text = mask_magics(_LONE_SURROGATE.sub("\ufffd", source)) + "\n"
        if _INDENTED.match(text):
            text = _VISIBLE.sub(" ", text)
        parts.append(text)
        identifier = cell.get("id")
        span = Span(start, start + len(text))
        file_lines = written[index - 1].lines_of(source)
        spans.append(CellSpan(index, identifier if isinstance(identifier, str) else "", span, file_lines))
        start = span.end
    return Document(path, "".join(parts), "notebook", cells=tuple(spans))


def _code_cells(path: str, notebook: dict[str, object]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The cells of Python code with their numbers, from 1."""
    cells = notebook.get("cells")
    if notebook.get("nbformat") != 4 or not isinstance(cells, list):
        found = notebook.get("nbformat")
        reason = f"it has format {found}" if isinstance(found, int) and found != 4 else "it has no cells of format 4"
        raise SourceError(path, f"is not a notebook that can be read: {reason}; save it as notebook format 4")
    for index, cell in enumerate(map(_mapping, cast("list[object]", cells)), 1):
        if cell.get("cell_type") == "code" and _is_python(notebook):
            yield index, cell


class Magic(NamedTuple):
    """What a cell says that is no Python: a shell line, a magic, or all of a cell."""

    name: str
    """`!` for a line of the shell, else as after `%` or `%%`."""

    is_cell: bool
    start: int
    """In the text of the notebook's document, where `text` begins."""

    text: str
    """What comes after the sign and the name; of a cell what is after that line."""

    argument: str = ""
    """Of a cell, what comes after the name."""


def read_magics(path: str, data: bytes) -> Iterator[Magic]:
    """The magics and shell lines of a notebook, in their order. Raises `SourceError`."""
    notebook, _ = _parse(path, data)
    start = 0
    for _, cell in _code_cells(path, notebook):
        source = _LONE_SURROGATE.sub("\ufffd", _source(cell))
        yield from _magics_of(source, start)
        start += len(source) + 1


_SIGN = re.compile(r"[ \t]*(?:(?:%{1,2}(?P<name>\w+)|!{1,2})[ \t]*)")


def _magics_of(text: str, start: int) -> Iterator[Magic]:
    position = 0
    if cell_magic := _CELL_MAGIC.match(text):
        position = cell_magic.end()
        if cell_magic[1] not in _TRANSPARENT_MAGICS:
            line = text[cell_magic.end(1) : position].strip()
            yield Magic(cell_magic[1], True, start + position, text[position:], line)
            return
    while position < len(text):
        if magic := _LINE_MAGIC.match(text, position):
            group = "line" if magic["line"] is not None else "value"
            sign = _SIGN.match(magic[group])
            if sign is not None:
                end = sign.end()
                yield Magic(sign["name"] or "!", False, start + magic.start(group) + end, magic[group][end:])
            position = magic.end()
        else:
            _, position = logical_line(text, position, len(text))


def mask_magics(text: str) -> str:
    """The text of a cell with IPython's magics, shell lines and help requests masked, of the same length."""
    parts: list[str] = []
    position = 0
    if cell_magic := _CELL_MAGIC.match(text):
        position = cell_magic.end() if cell_magic.group(1) in _TRANSPARENT_MAGICS else len(text)
        parts.append(_VISIBLE.sub(" ", text[:position]))
    while position < len(text):
        if magic := _LINE_MAGIC.match(text, position):
            parts.append(_masked(magic))
            position = magic.end()
        else:
            _, end = logical_line(text, position, len(text))
            parts.append(text[position:end])
            position = end
    return "".join(parts)


def _masked(magic: re.Match[str]) -> str:
    indent, line, target, value = magic.group("indent", "line", "target", "value")
    if target:
        return indent + target + "_" + _VISIBLE.sub(" ", value[1:])
    if not indent:
        return _VISIBLE.sub(" ", line)
    body = "pass" if len(line) >= 4 and not set(line[:4]) & set("\r\n") else "0"  # a block may have nothing else
    return indent + body + _VISIBLE.sub(" ", line[len(body) :])


def _parse(path: str, data: bytes) -> tuple[dict[str, object], str]:
    """What a notebook's JSON holds, and its text."""
    if not data.strip():
        raise SourceError(path, "is not a notebook: it is empty", 1)
    try:
        text = data.decode("utf-8-sig")
        loaded: object = json.loads(text)
    except json.JSONDecodeError as error:
        raise SourceError(path, f"is not a notebook: its JSON is broken, {error.msg}", error.lineno) from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceError(path, f"is not a notebook: not valid UTF-8 at offset {error.start}", line) from None
    except (RecursionError, ValueError):
        raise SourceError(path, "is not a notebook: its JSON is nested too deeply or holds an absurd number") from None
    if not isinstance(loaded, dict):
        raise SourceError(path, "is not a notebook: its JSON is not an object", 1)
    return cast("dict[str, object]", loaded), text


def _mapping(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _source(cell: dict[str, Any]) -> str:
    source: object = cell.get("source")
    if isinstance(source, list):
        source = "".join(line for line in cast("list[object]", source) if isinstance(line, str))
    return source if isinstance(source, str) else ""


def _is_python(notebook: dict[str, object]) -> bool:
    metadata = _mapping(notebook.get("metadata"))
    named: object = _mapping(metadata.get("language_info")).get("name")
    named = named or _mapping(metadata.get("kernelspec")).get("language")
    return not isinstance(named, str) or "python" in named.lower()
