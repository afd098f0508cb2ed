"""What the parts of an outline are called: steps, blocks, conditions and places."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from ddl_lint.analysis.ranks.communication import Block, Cell
from ddl_lint.output.cells import clipped, printable, width_of
from ddl_lint.output.places import place_of
from ddl_lint.output.trace.outline import Documents, Entry, Group, Item, with_depth
from ddl_lint.source.span import Location

LEAVES: Mapping[str, str] = {
    "return": "returns",
    "break": "leaves the loop",
    "continue": "begins the next iteration",
    "exit": "ends the program",
    "raise": "raises an error",
}

_VARIES = {"": "", "rank": "may depend on the rank", "local": "may differ between ranks"}


def headline(group: Group) -> str:
    """The blocks of a group as a line: `train() > evaluate() ×2`, `for batch in loader`, `if args.resume`."""  # noqa: RUF002
    times = f" ×{group.times}" if group.times > 1 else ""  # noqa: RUF001
    if not group.blocks:
        return f"these {len(group.items)} steps{times}"
    if group.kind == "call":
        return " > ".join(f"{block.text}()" for block in group.blocks) + times
    note = f" ({remark(group.blocks[0])})" if remark(group.blocks[0]) else ""
    return block_text(group.blocks[0]) + times + note


def block_text(block: Block) -> str:
    """A block in words: `main()`, `for batch in loader`, `if args.resume`, `unless done`."""
    if block.kind == "call":
        return f"{block.text}()"
    if block.kind == "loop":
        return block.text if block.text.startswith(("for", "while", "async")) else f"for each of {block.text}"
    if block.text.startswith("case "):
        return block.text if block.kind == "if" else f"not {block.text}"
    if block.kind == "unless" and _NEGATED.match(block.text):
        return f"if {block.text[4:]}"
    return f"{block.kind} {block.text}"


_NEGATED = re.compile(r"not (?!.*\b(?:and|or|if)\b)")


def remark(block: Block) -> str:
    """What is to be said of a block's condition; mostly nothing."""
    return _VARIES[block.varies]


def label(entry: Entry, width: int | None = None) -> str:
    """The name of a row: `all_reduce in reduce_mean() ×3`, cut to so many characters before the number."""  # noqa: RUF002
    names = list(dict.fromkeys(cell_name(cell) for cell in entry.row.cells if cell is not None))
    via = " in " + " > ".join(f"{block.text}()" for block in entry.via) if entry.via else ""
    times = f" ×{entry.times}" if entry.times > 1 else ""  # noqa: RUF001
    text = printable(" / ".join(names) + via)
    return (text if width is None else clipped(text, max(width - width_of(times), 2))) + times


def cell_name(cell: Cell) -> str:
    """What a class of ranks does: the name of the call, with a `?` where it is not certain what it needs or does."""
    if cell.leaves is not None:
        return LEAVES[cell.leaves]
    group = f" ({cell.group} group)" if cell.group else ""
    return f"{cell.name}{group}" if cell.sure and cell.seen else f"{cell.name}{group}?"


def conditions(cell: Cell) -> str:
    """The conditions of a cell beyond those of its row, in words."""
    return ", ".join(block_text(block) for block in cell.under if block.kind != "call")


def where(location: Location, documents: Documents) -> str:
    """A place as it fits into a table: `train.py:88`."""
    place = place_of(location, documents)
    cell = "" if place.cell is None else f":cell {place.cell}"
    return f"{PurePath(place.file).name}{cell}:{place.line}"


def remarks(items: Sequence[Item]) -> list[str]:
    """Explanations of the signs that an outline uses."""
    cells = [cell for _, entry in with_depth(items) for cell in entry.row.cells if cell is not None]
    said: list[str] = []
    if any(not (cell.sure and cell.seen) for cell in cells):
        said.append("?: ddl-lint cannot tell whether the call needs the other ranks")
    return said
