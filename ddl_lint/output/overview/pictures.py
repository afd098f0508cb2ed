"""The traces of a page: each is drawn once, below the first finding that it shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ddl_lint.analysis.ranks.communication import Communication
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.output.html.escaped import escaped
from ddl_lint.output.trace.html import legend
from ddl_lint.output.trace.html_steps import Steps
from ddl_lint.output.trace.html_text import sentence
from ddl_lint.output.trace.labels import remarks
from ddl_lint.output.trace.outline import Item, outline, with_depth
from ddl_lint.output.trace.presentation import Spots
from ddl_lint.output.trace.verdict import verdict
from ddl_lint.output.trace.words import group_kinds, subtitle, title
from ddl_lint.source.span import Location

_MOST_STEPS = 4_000  # of all traces of a page


@dataclass(slots=True)
class Pictures:
    """Knows which trace shows a finding."""

    traces: Sequence[Communication]
    spots: Spots
    _outlines: list[list[Item]] = field(default_factory=list[list[Item]], init=False)
    _shown_at: dict[tuple[str, int], tuple[int, int]] = field(
        default_factory=dict[tuple[str, int], tuple[int, int]], init=False
    )
    """File and line of a fault, to the index of a trace and the number of the trouble in it."""

    _steps: list[int] = field(default_factory=list[int], init=False)
    """How many steps each of them has."""

    _drawn: set[int] = field(default_factory=set[int], init=False)

    def __post_init__(self) -> None:
        for index, communication in enumerate(self.traces):
            items = outline(communication.rows)
            self._outlines.append(items)
            entries = [entry for _, entry in with_depth(items)]
            self._steps.append(len(entries))
            gaps = [entry.gap for entry in entries if entry.gap is not None]
            for number, gap in enumerate(gaps, start=1):
                if gap.place is not None:
                    self._shown_at.setdefault(self._line(gap.place), (index, number))

    @property
    def numbers(self) -> set[int]:
        """The signs of process groups that they use."""
        return {kind.number for communication in self.traces for kind in group_kinds(communication)}

    @property
    def columns(self) -> int:
        """Of the widest of them."""
        return max((len(communication.columns) for communication in self.traces), default=2)

    def shows(self, finding: Diagnostic) -> bool:
        """Whether one of them shows a finding, and the page is not too large for it."""
        known = self._shown_at.get(self._line(finding.location))
        if known is None or known[0] in self._drawn:
            return known is not None
        return sum(self._steps[index] for index in (*self._drawn, known[0])) <= _MOST_STEPS

    def of(self, finding: Diagnostic) -> Iterator[str]:
        """The picture that shows a finding; where it was drawn already, the way there."""
        index, number = self._shown_at[self._line(finding.location)]
        name = escaped(title(self.traces[index], self.spots.shown(self.traces[index].path)))
        if index in self._drawn:
            yield f'<p class="see"><a href="#{_prefix(index)}trouble-{number}">See it in the trace of {name}</a></p>'
            return
        self._drawn.add(index)
        yield from self._draw(index, name)

    def _draw(self, index: int, name: str) -> Iterator[str]:
        communication, items = self.traces[index], self._outlines[index]
        kinds, found = group_kinds(communication), verdict(communication, self.spots.documents)
        yield f'<section class="trace" style="--columns: {len(communication.columns)}">'
        yield f'<h4>What the ranks of {name} do</h4><p class="job">{escaped(_as_sentence(subtitle(communication)))}</p>'
        for limit in found.limits:
            yield f'<p class="limit">{sentence(limit, self.spots, found.places)}.</p>'
        yield from legend(kinds, remarks(items))
        groups = {kind.name: kind.number for kind in kinds}
        yield from Steps(communication.columns, self.spots, groups, items, _prefix(index)).lines()
        yield "</section>"

    def _line(self, location: Location) -> tuple[str, int]:
        document = self.spots.documents.get(location.path)
        return location.path, 0 if document is None else document.position(location.start)[0]


def _prefix(index: int) -> str:
    return f"t{index + 1}-"


def _as_sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
