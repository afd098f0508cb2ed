"""The steps of a trace as nested lists that fold: open where the ranks do not meet, or at what was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ddl_lint.analysis.ranks.communication import Cell, Gap, Row
from ddl_lint.analysis.ranks.processes import RankClass
from ddl_lint.output.html.escaped import escaped
from ddl_lint.output.trace import marks
from ddl_lint.output.trace.focus import holds_focus, is_focus
from ddl_lint.output.trace.html_text import link, sentence, source
from ddl_lint.output.trace.labels import cell_name, conditions, headline, label
from ddl_lint.output.trace.outline import Entry, Group, Item, is_trouble, steps_in
from ddl_lint.output.trace.presentation import Spot, Spots
from ddl_lint.output.trace.words import printed

_MOST_OPEN = 60  # steps that are all shown when nothing is wrong
_BESIDE = 2  # items before and after a trouble that are shown
_MOST_PLAIN = 12  # items of one block that are shown where there is no trouble
_LEAST_FOLDED = 4  # items; fewer take no more space than the line that hides them


@dataclass(slots=True)
class Steps:
    """Writes the steps. `groups` holds the number of the sign of each kind of process groups."""

    columns: Sequence[RankClass]
    spots: Spots
    groups: Mapping[str, int]
    items: Sequence[Item]
    prefix: str = ""
    """What the names of its places in the page begin with, where the page has several traces."""

    _troubles: int = field(default=0, init=False)
    _is_quiet: bool = field(default=False, init=False)
    """Whether there is nothing to look at before the rest."""

    def __post_init__(self) -> None:
        self._is_quiet = not any(map(self._matters, self.items))

    def lines(self) -> Iterator[str]:
        """The titles of the columns, and the list."""
        titles = "".join(f"<span>{escaped(ranks.title)}</span>" for ranks in self.columns)
        yield f'<div class="heads row" aria-hidden="true"><span></span>{titles}</div>'
        yield '<ol class="steps" aria-label="Steps">'
        yield from self._block(self.items, 0)
        yield "</ol>"

    def _matters(self, item: Item) -> bool:
        return is_trouble(item) or holds_focus(item, self.spots)

    def _block(self, items: Sequence[Item], depth: int) -> Iterator[str]:
        index = 0
        shown = self._shown(items)
        while index < len(items):
            end = index
            while end < len(items) and end not in shown:
                end += 1
            if end - index >= _LEAST_FOLDED:
                hidden = items[index:end]
                number = sum(map(steps_in, hidden))
                yield f'<li class="more"><details><summary style="--depth: {depth}">{number} more steps</summary><ol>'
                for item in hidden:
                    yield from self._item(item, depth)
                yield "</ol></details></li>"
            else:
                end = max(end, index + 1)
                for item in items[index:end]:
                    yield from self._item(item, depth)
            index = end

    def _shown(self, items: Sequence[Item]) -> set[int]:
        """The indices of what is not folded away: what matters with its neighbours, else the first and the last."""
        matters = [index for index, item in enumerate(items) if self._matters(item)]
        if matters:
            return {near for index in matters for near in range(index - _BESIDE, index + _BESIDE + 1)}
        ends = _MOST_PLAIN // 2
        if len(items) <= _MOST_PLAIN:
            return set(range(len(items)))
        return {*range(ends), *range(len(items) - ends, len(items))}

    def _item(self, item: Item, depth: int) -> Iterator[str]:
        if isinstance(item, Entry):
            yield from self._entry(item, depth)
        else:
            yield from self._group(item, depth)

    def _group(self, group: Group, depth: int) -> Iterator[str]:
        is_open = self._matters(group) or (
            self._is_quiet and (depth == 0 or sum(map(steps_in, self.items)) <= _MOST_OPEN)
        )
        number = steps_in(group)
        place = f" {self._link(self.spots.of(group.blocks[0].location))}" if group.blocks else ""
        turn = '<span aria-hidden="true">↻</span> ' if group.kind in ("loop", "stretch") else ""
        look = "if" if group.kind in ("if", "unless") else group.kind
        yield f'<li class="block {look}"><details{" open" if is_open else ""}><summary style="--depth: {depth}">'
        yield f'<span class="headline">{turn}{escaped(headline(group))}</span>{place}'
        yield f'<span class="count">{number} {"step" if number == 1 else "steps"}</span></summary><ol>'
        yield from self._block(group.items, depth + 1)
        yield "</ol></details></li>"

    def _entry(self, entry: Entry, depth: int) -> Iterator[str]:
        row, gap = entry.row, entry.gap
        looks = ["step", *self._looks(row)]
        marked = ""
        if gap is not None:
            self._troubles += 1
            marked += f' id="{self.prefix}trouble-{self._troubles}" data-trouble tabindex="-1"'
        if is_focus(entry, self.spots):
            looks.append("focus")
            marked += " data-focus"
        yield f'<li class="{" ".join(looks)}"{marked}><div class="row">'
        places = {cell.location for cell in row.cells if cell is not None}
        text = source(self.spots.of(row.lead.location)) if len(places) == 1 else ""
        name = f'<span class="label">{escaped(label(entry))}</span>{text}'
        yield f'<div class="name" style="--depth: {depth}">{name}</div>'
        if len(places) == 1 and None not in row.cells and len(row.cells) > 1:
            yield f'<div class="cell together">{self._cell(row, row.lead, "all ranks", with_source=False)}</div>'
        for ranks, cell in zip(self.columns, row.cells, strict=True):
            yield f'<div class="cell">{self._cell(row, cell, ranks.title, with_source=len(places) > 1)}</div>'
        yield "</div>"
        if gap is not None:
            yield from self._gap(row, gap, depth)
        yield "</li>"

    def _looks(self, row: Row) -> Iterator[str]:
        if row.gap is not None:
            yield "trouble" if row.gap.certain else "trouble doubtful"
        elif row.lead.leaves:
            yield "leaves"
        if not row.is_certain:
            yield "unsure"
        if row.meets:
            yield f"meets k{self.groups.get(row.lead.group, marks.ROUND)}"

    def _cell(self, row: Row, cell: Cell | None, ranks: str, *, with_source: bool) -> str:
        who = f'<span class="who">{escaped(ranks)}</span>'
        if cell is None:
            sign, said = ("✕", "does not get here") if row.gap is not None else ("–", "has no part in it")  # noqa: RUF001
            return f'{who}<span class="absent" aria-hidden="true">{sign}</span><span class="said">{said}</span>'
        names = {other.name for other in row.cells if other is not None}
        what = f'<span class="what">{escaped(cell_name(cell))}</span> ' if len(names) > 1 else ""
        under = f' <span class="under">{escaped(conditions(cell))}</span>' if conditions(cell) else ""
        spot = self.spots.of(cell.location)
        text = source(spot) if with_source else ""
        return f"{who}{self._mark(row, cell)}<span>{what}{self._link(spot)}{under}{text}</span>"

    def _mark(self, row: Row, cell: Cell) -> str:
        number = self.groups.get(cell.group, marks.ROUND)
        known = f"g{number}" if number or row.meets else "alone"
        look = "out" if cell.leaves else known if cell.sure and cell.seen else "maybe"
        return f'<svg class="mark {look}" aria-hidden="true"><use href="#mark{number}"/></svg>'

    def _link(self, spot: Spot) -> str:
        return link(spot, self.spots)

    def _gap(self, row: Row, gap: Gap, depth: int) -> Iterator[str]:
        places = [cell.location for cell in row.cells if cell is not None]
        message = sentence(
            gap.message,
            self.spots,
            [*places, *([gap.place] if gap.place else []), *(part.location for part in gap.evidence)],
        )
        yield f'<div class="problem" style="--depth: {depth}"><p class="message">{message}</p>'
        if gap.evidence:
            yield '<ul class="evidence">'
            for part in gap.evidence:
                spot = self.spots.of(part.location)
                yield f"<li>{sentence(part.message, self.spots)}: {self._link(spot)}{source(spot)}</li>"
            yield "</ul>"
        for report in gap.reports:
            yield f'<p class="report">{escaped(printed(report))}:<code>{escaped(report.text)}</code></p>'
        yield "</div>"
