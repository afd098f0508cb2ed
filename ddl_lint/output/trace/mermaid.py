"""The table as a Mermaid sequence diagram: a participant for each class of ranks, a note for each step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from ddl_lint.analysis.ranks.communication import Cell, Communication, Row
from ddl_lint.output.cells import clipped, printable, wrapped
from ddl_lint.output.trace.labels import block_text, cell_name, conditions, headline, label, where
from ddl_lint.output.trace.outline import Documents, Entry, Group, Item, outline
from ddl_lint.output.trace.presentation import Presentation, Spots
from ddl_lint.output.trace.verdict import verdict
from ddl_lint.output.trace.words import printed, title

_LONGEST = 300
_NOTE = 46  # characters of a line of a note; Mermaid breaks none by itself
_RED = "rgba(255, 80, 80, 0.25)"
_YELLOW = "rgba(230, 170, 30, 0.25)"


def render(communication: Communication, documents: Documents, presentation: Presentation) -> str:
    """The source of the diagram."""
    name = title(communication, Spots(documents, presentation).shown(communication.path))
    found = verdict(communication, documents)
    lines = ["sequenceDiagram", f"    accTitle: {_text(name)}"]
    lines.append(f"    accDescr: {_text(found.text)}")
    for index, ranks in enumerate(communication.columns):
        lines.append(f"    participant r{index} as {_text(ranks.title)}")
    lines.extend(f"    {line}" for line in _block(outline(communication.rows), len(communication.columns), documents))
    everybody = range(len(communication.columns))
    if found.tone == "doubt" or not communication.rows:
        lines.append(f"    {_note(everybody, found.text)}")
    lines.extend(f"    {_note(everybody, limit)}" for limit in found.limits)
    return "\n".join(lines) + "\n"


def _block(items: Sequence[Item], columns: int, documents: Documents) -> Iterator[str]:
    index = 0
    while index < len(items):
        item = items[index]
        index += 1
        if isinstance(item, Entry):
            yield from _entry(item, columns, documents)
            continue
        inner = _block(item.items, columns, documents)
        if not item.blocks:
            yield f"loop {_text(headline(item))}"
            yield from _indented(inner)
            yield "end"
            continue
        block = item.blocks[0]
        if block.kind == "call" and item.times > 1:
            yield f"loop {_text(headline(item))}"
            yield from _indented(inner)
            yield "end"
            continue
        if block.kind == "call":
            yield f"%% {_comment(item)}"
            yield from inner
            continue
        other = items[index] if index < len(items) else None
        if isinstance(other, Group) and _are_arms(item, other):
            index += 1
            yield f"alt {_text(block_text(block))}"
            yield from _indented(inner)
            yield f"else {_text(block_text(other.blocks[0]))}"
            yield from _indented(_block(other.items, columns, documents))
        else:
            yield f"{'loop' if block.kind == 'loop' else 'opt'} {_text(block_text(block))}"
            yield from _indented(inner)
        yield "end"


def _are_arms(one: Group, other: Group) -> bool:
    """Whether two groups that follow each other are the arms of one condition."""
    return {one.kind, other.kind} == {"if", "unless"} and one.blocks[0].location == other.blocks[0].location


def _indented(lines: Iterator[str]) -> Iterator[str]:
    return (f"    {line}" for line in lines)


def _entry(entry: Entry, columns: int, documents: Documents) -> Iterator[str]:
    row = entry.row
    notes = list(_notes(entry, documents))
    if row.gap is None:
        yield from notes
        return
    yield f"rect {_RED if row.gap.certain else _YELLOW}"
    yield from _indented(iter(notes))
    if entry.gap is not None:
        yield "    " + _note(range(columns), entry.gap.message)
        for report in entry.gap.reports:
            yield "    " + _note(range(columns), f"{printed(report)}: {report.text}")
    yield "end"


def _notes(entry: Entry, documents: Documents) -> Iterator[str]:
    """One note over all that do the same at the same place, or that meet; else one for each."""
    row = entry.row
    if row.meets:
        yield _note(range(len(row.cells)), f"{label(entry)} ({_places(row, documents)})")
        return
    for told, group in groupby(enumerate(row.cells), lambda pair: _told(pair[1], documents)):
        if told:
            yield _note([index for index, _ in group], told)


def _told(cell: Cell | None, documents: Documents) -> str:
    if cell is None:
        return ""
    under = f" {conditions(cell)}" if conditions(cell) else ""
    return f"{cell_name(cell)} ({where(cell.location, documents)}){under}"


def _places(row: Row, documents: Documents) -> str:
    return ", ".join(dict.fromkeys(where(cell.location, documents) for cell in row.cells if cell is not None))


def _note(over: Sequence[int], text: str) -> str:
    ends = f"r{over[0]}" if len(over) == 1 else f"r{over[0]},r{over[-1]}"
    lines = wrapped(clipped(printable(text), _LONGEST), _NOTE)
    return f"Note over {ends}: {'<br/>'.join(map(_text, lines))}"


def _comment(group: Group) -> str:
    return re.sub(r"[^\w .,<>()-]", "?", " > ".join(block_text(block) for block in group.blocks))


def _text(text: str) -> str:
    """A text in which nothing is Mermaid's syntax: signs as character entities, and no word `end`."""
    short = clipped(printable(text), _LONGEST)
    escaped = re.sub(r"[^\w .,:()/=*+!?'…×-]", lambda match: f"#{ord(match.group())};", short)  # noqa: RUF001
    return re.sub(r"\bend\b", "#101;nd", escaped, flags=re.IGNORECASE)
