"""What a trace is opened at: the steps on a line, and those that part there."""

from __future__ import annotations

from ddl_lint.output.trace.outline import Entry, Item
from ddl_lint.output.trace.presentation import Spots


def is_focus(entry: Entry, spots: Spots) -> bool:
    """Whether a step has to do with the line that the trace is opened at: made there, or failing for what is there."""
    if spots.presentation.focus is None:
        return False
    cells = [cell for cell in entry.row.cells if cell is not None]
    if any(spots.is_focus(cell.location) for cell in cells):
        return True
    gap = entry.gap
    if gap is None:
        return False
    return any(map(spots.is_focus, (*([gap.place] if gap.place else []), *(part.location for part in gap.evidence))))


def holds_focus(item: Item, spots: Spots) -> bool:
    """Whether the trace is opened at something in this item."""
    if isinstance(item, Entry):
        return is_focus(item, spots) or any(spots.is_focus(block.location) for block in item.via)
    opened = any(spots.is_focus(block.location) for block in item.blocks)
    return opened or any(holds_focus(inner, spots) for inner in item.items)
