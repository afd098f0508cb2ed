"""Edits of the code cells of a notebook, made in its JSON: no byte outside the changed cells is touched."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from ddl_lint.finding import Edit
from ddl_lint.fixes.apply import edited
from ddl_lint.fixes.unfixable import Unfixable
from ddl_lint.source import CellSpan, Document, Location
from ddl_lint.source.json_positions import JsonError, read_json
from ddl_lint.source.lexer import physical_lines
from ddl_lint.source.nodes import Node, Scalar, Sequence, find


def edited_notebook(document: Document, text: str, edits: Iterable[Edit]) -> str:
    """The JSON of a notebook with edits made in its cells.

    Args:
        document: What was read from it.
        text: The JSON.
        edits: Edits of the document, each within one cell.

    Raises:
        Unfixable: an edit goes over the end of a cell or touches a magic, or the JSON has no such cell.
    """
    head = text[: len(text) - len(text.lstrip("\ufeff"))]
    try:
        root = read_json(text[len(head) :]).root
    except JsonError:
        raise Unfixable("the JSON of the notebook cannot be taken over") from None
    by_cell: dict[CellSpan, list[Edit]] = {}
    for edit in edits:
        by_cell.setdefault(_cell_of(document, edit), []).append(edit)
    changes: list[Edit] = []
    for cell, own in by_cell.items():
        node = find(root, ("cells", cell.index - 1, "source"))
        if node is None:
            raise Unfixable("the notebook has no such cell")
        before = _source(node)
        after = _edited_cell(document, cell, before, own)
        place = Location(document.path, node.span.start + len(head), node.span.end + len(head))
        changes.append(Edit(place, _written(text[len(head) :], node, after)))
    return edited(text, changes)


def cell_sources(text: str) -> Iterator[tuple[int, str]]:
    """The cells of a notebook's JSON, counted from 1, each with its text as people see it."""
    cells = find(read_json(text.removeprefix("\ufeff")).root, ("cells",))
    for index, cell in enumerate(cells.items if isinstance(cells, Sequence) else (), 1):
        source = find(cell, ("source",))
        if source is not None:
            yield index, _source(source)


def _cell_of(document: Document, edit: Edit) -> CellSpan:
    for cell in document.cells:
        if cell.span.start <= edit.location.start and edit.location.end <= cell.span.end:
            # What is inserted at the border of two cells belongs to the one that it begins.
            if edit.location.start == cell.span.end and cell is not document.cells[-1]:
                continue
            return cell
    raise Unfixable("it would go over the end of a cell")


def _source(node: Node) -> str:
    items = node.items if isinstance(node, Sequence) else (node,)
    return "".join(item.value for item in items if isinstance(item, Scalar) and isinstance(item.value, str))


def _edited_cell(document: Document, cell: CellSpan, source: str, edits: Iterable[Edit]) -> str:
    """The new text of a cell. The document has one more line end than the cell, and masks what is no Python."""
    shown = document.text[slice(*cell.span)]
    own = f"{source}\n"
    if len(own) != len(shown):
        raise Unfixable("the notebook has changed")
    moved: list[Edit] = []
    for edit in edits:
        start, end = edit.location.start - cell.span.start, edit.location.end - cell.span.start
        if own[start:end] != shown[start:end]:
            raise Unfixable("it would touch a magic or a shell command of the notebook")
        moved.append(Edit(Location(document.path, start, end), edit.text))
    return edited(own, moved).removesuffix("\n")


def _written(text: str, node: Node, source: str) -> str:
    """A cell's source as JSON: as a list of lines or as one string, as it was; unchanged lines as they were."""
    ascii_only = text.isascii()
    if not isinstance(node, Sequence):
        return json.dumps(source, ensure_ascii=ascii_only)
    known = {item.value: text[slice(*item.span)] for item in node.items if isinstance(item, Scalar)}
    lines = [known.get(line) or json.dumps(line, ensure_ascii=ascii_only) for line in physical_lines(source)]
    if not node.items:
        return f"[{', '.join(lines)}]"
    first, last = node.items[0].span, node.items[-1].span
    opening, closing = text[node.span.start + 1 : first.start], text[last.end : node.span.end - 1]
    between = text[first.end : node.items[1].span.start] if len(node.items) > 1 else f",{opening or ' '}"
    return f"[{opening}{between.join(lines)}{closing}]"
