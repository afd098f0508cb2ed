"""The rows of a table as an outline: blocks with what is in them, what repeats folded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ddl_lint.analysis.ranks.communication import Block, BlockKind, Gap, Row
from ddl_lint.source.document import Document


@dataclass(frozen=True, slots=True)
class Entry:
    """A row. `via` are calls around it that hold nothing else; `times` counts equal rows that follow each other.

    `gap` is what is to be said of the row: in the first of those that share it.
    """

    row: Row
    via: tuple[Block, ...] = ()
    times: int = 1
    gap: Gap | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """A block with its contents. Several `blocks` are calls of which each holds nothing but the next; without any, it
    is a stretch of steps. `times` counts equal blocks, or stretches, that follow each other.
    """

    blocks: tuple[Block, ...]
    items: tuple[Item, ...]
    times: int = 1

    @property
    def kind(self) -> BlockKind | Literal["stretch"]:
        """What holds the steps together."""
        return self.blocks[0].kind if self.blocks else "stretch"


Item: TypeAlias = "Entry | Group"

Documents: TypeAlias = Mapping[str, Document]

_MOST_ENTRIES = 12  # of one block that are shown when nothing is wrong there


def outline(rows: Sequence[Row]) -> list[Item]:
    """The rows in their blocks."""
    told: set[int] = set()
    entries: list[Entry] = []
    for row in rows:
        entries.append(Entry(row, gap=None if id(row.gap) in told else row.gap))
        told.add(id(row.gap))
    return _nested(entries, 0)


def _nested(entries: Sequence[Entry], depth: int) -> list[Item]:
    items: list[Item] = []
    index = 0
    while index < len(entries):
        blocks = entries[index].row.blocks
        if len(blocks) <= depth:
            items.append(entries[index])
            index += 1
            continue
        end = index
        while end < len(entries) and entries[end].row.blocks[depth : depth + 1] == (blocks[depth],):
            end += 1
        items.append(_group(blocks[depth], _nested(entries[index:end], depth + 1)))
        index = end
    return _counted(_folded(items))


def _group(block: Block, items: list[Item]) -> Item:
    if block.kind == "loop":
        items = _without_further_turns(items)
    if block.kind == "call" and len(items) == 1:
        (only,) = items
        if isinstance(only, Entry):
            return replace(only, via=(block, *only.via))
        if only.kind == "call" and only.times == 1:
            return Group((block, *only.blocks), only.items)
    return Group((block,), tuple(items))


def _without_further_turns(items: Sequence[Item]) -> list[Item]:
    """The first iteration of a loop whose iterations were followed one by one, because each shows the same."""
    kept: list[Item] = []
    seen: set[object] = set()
    for item in items:
        signature = _signature(item)
        if signature not in seen or _has_gap(item):
            kept.append(item)
        seen.add(signature)
    return kept


def _folded(items: Sequence[Item]) -> list[Item]:
    folded: list[Item] = []
    for item in items:
        last = folded[-1] if folded else None
        if (
            isinstance(item, Entry)
            and isinstance(last, Entry)
            and item.gap is None
            and last.row.gap is item.row.gap
            and _shown(item) == _shown(last)
        ):
            # Equal calls from one place are the functions that it may call, or iterations of a loop: they happen once.
            again = 0 if _shape(item.via) == _shape(last.via) else item.times
            folded[-1] = replace(last, via=item.via, times=last.times + again)
        else:
            folded.append(item)
    return folded


_LONGEST_STRETCH = 24  # items that are looked for again after themselves


def _counted(items: Sequence[Item]) -> list[Item]:
    """Equal blocks, and equal stretches of steps, that follow each other: once, with their number."""
    keys = [object() if is_trouble(item) else _alike(item) for item in items]
    counted: list[Item] = []
    index = 0
    while index < len(items):
        length, times = max(_repetitions(keys, index, items[index]), key=lambda each: each[0] * each[1], default=(1, 1))
        stretch = items[index : index + length]
        first = stretch[0]
        if times == 1:
            counted.append(first)
        elif length == 1 and isinstance(first, Group):
            counted.append(replace(first, times=times))
        else:
            counted.append(Group((), tuple(stretch), times))
        index += length * times
    return counted


def _repetitions(keys: Sequence[object], begin: int, first: Item) -> Iterator[tuple[int, int]]:
    """How long the stretches are that repeat from here on, and how often each does."""
    shortest = 2 if isinstance(first, Entry) else 1  # equal entries are counted already
    for length in range(shortest, min(_LONGEST_STRETCH, (len(keys) - begin) // 2) + 1):
        stretch, times = keys[begin : begin + length], 1
        while keys[begin + times * length : begin + (times + 1) * length] == stretch:
            times += 1
        if times > 1:
            yield length, times


def _alike(item: Item) -> object:
    """What makes two items the same to a reader, wherever they are called from."""
    if isinstance(item, Entry):
        return _shown(item), item.times
    blocks = tuple((block.kind, block.text, None if block.kind == "call" else block.location) for block in item.blocks)
    return blocks, item.times, tuple(map(_alike, item.items))


def is_trouble(item: Item) -> bool:
    """Whether ranks do not meet in it."""
    return item.row.gap is not None if isinstance(item, Entry) else any(map(is_trouble, item.items))


def steps_in(item: Item) -> int:
    """How many steps are in an item, each once."""
    return 1 if isinstance(item, Entry) else sum(map(steps_in, item.items))


def _has_gap(item: Item) -> bool:
    return item.gap is not None if isinstance(item, Entry) else any(map(_has_gap, item.items))


def _shown(entry: Entry) -> object:
    """What is to be seen of an entry, but for where the calls around it are."""
    cells = tuple(cell and (cell.name, cell.group, cell.location, _shape(cell.under)) for cell in entry.row.cells)
    return cells, tuple(block.text for block in entry.via)


def _signature(item: Item) -> object:
    if isinstance(item, Entry):
        return _shown(item), _shape(item.via)
    return _shape(item.blocks), tuple(map(_signature, item.items))


def _shape(blocks: Sequence[Block]) -> object:
    return tuple((block.kind, block.text, block.location) for block in blocks)


def with_depth(items: Sequence[Item], depth: int = 0) -> Iterator[tuple[int, Entry]]:
    """All entries of an outline, and how deep each is in its blocks."""
    for item in items:
        if isinstance(item, Entry):
            yield depth, item
        else:
            yield from with_depth(item.items, depth + 1)


def few(items: Sequence[Item], is_wanted: Callable[[Entry], bool]) -> tuple[set[int], dict[int, int]]:
    """The indices of the items of a block that are shown, and after which of the others how many are left out: never a
    trouble, nor what is wanted.
    """
    plain = [
        index
        for index, item in enumerate(items)
        if isinstance(item, Entry) and item.row.gap is None and not is_wanted(item)
    ]
    if len(plain) <= _MOST_ENTRIES:
        return set(range(len(items))), {}
    kept = set(plain[: _MOST_ENTRIES // 2]) | set(plain[-_MOST_ENTRIES // 2 :])
    shown = {index for index in range(len(items)) if index in kept or index not in plain}
    hidden: dict[int, int] = {}
    begin = -1
    for index in range(len(items)):
        if index in shown:
            begin = -1
        else:
            begin = index if begin < 0 else begin
            hidden[begin] = hidden.get(begin, 0) + 1
    return shown, hidden
