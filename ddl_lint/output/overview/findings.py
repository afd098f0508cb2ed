"""A finding as a part of the page: what is wrong, where, what to do, and why it is so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Confidence, Evidence
from ddl_lint.output.cells import clipped
from ddl_lint.output.overview.pictures import Pictures
from ddl_lint.output.places import Place, place_of
from ddl_lint.output.trace.html_text import link, sentence, source
from ddl_lint.output.trace.presentation import Spots
from ddl_lint.output.trace.shapes import escaped

_BEFORE = 2  # lines that are shown before the one that is meant
_LONGEST = 160  # characters of a line


@dataclass(slots=True)
class Findings:
    """Writes them; each has a number in the page."""

    spots: Spots
    pictures: Pictures
    _count: int = 0

    def lines(self, finding: Diagnostic) -> Iterator[str]:
        """One finding."""
        self._count += 1
        spot = self.spots.of(finding.location)
        places = [finding.location, *(part.location for part in finding.evidence)]
        marked = f'id="finding-{self._count}" data-finding tabindex="-1"'
        yield f'<article class="finding {finding.severity.value}" {marked}>'
        yield f"<h3>{sentence(finding.message, self.spots, places)}</h3>"
        where = spot.file if spot.cell is None else f"{spot.file}, cell {spot.cell}"
        said = f"{finding.severity.value} <b>{escaped(finding.code)}</b> {escaped(finding.name)}"
        yield f'<p class="where">{link(spot, self.spots, f"{where}:{spot.line}")} <span>{said}</span></p>'
        yield from _code(place_of(finding.location, self.spots.documents))
        yield from self._advice(finding)
        if self.pictures.shows(finding):
            yield from self.pictures.of(finding)
        elif finding.evidence:
            yield "<details open><summary>Why</summary><ol>"
            yield from map(self._evidence, finding.evidence)
            yield "</ol></details>"
        yield "</article>"

    def _advice(self, finding: Diagnostic) -> Iterator[str]:
        if finding.help:
            yield f'<p class="help"><b>Help</b> {self._text(finding.help)}</p>'
        fix = finding.fix
        if fix is not None:
            reason = f": {fix.reason[0].lower()}{fix.reason[1:].rstrip('.')}" if fix.reason else ""
            how = self._text(f"({fix.applicability.value}{reason})")
            yield f'<p class="fix"><b>Fix</b> {self._text(fix.title)} <span>{how}</span></p>'
        elif finding.unfixable:
            yield f'<p class="fix"><b>No fix</b> {self._text(finding.unfixable)}</p>'
        if finding.confidence is Confidence.MEDIUM:
            doubt = finding.doubt or "check it before you change anything"
            yield f'<p class="doubt"><b>Medium confidence</b> {self._text(doubt)}</p>'

    def _text(self, text: str) -> str:
        return "<br>".join(sentence(line, self.spots) for line in text.strip().splitlines())

    def _evidence(self, part: Evidence) -> str:
        spot = self.spots.of(part.location)
        return f"<li>{sentence(part.message, self.spots)}: {link(spot, self.spots)}{source(spot)}</li>"


def _code(place: Place) -> Iterator[str]:
    """The line of a finding with those before it, and a mark on what is meant."""
    if place.line_text is None:
        return
    lines: list[str] = []
    for number in range(max(1, place.line - _BEFORE), place.line + 1):
        text = place.line_text(number)
        shown = _marked(text, place) if number == place.line else _plain(text)
        lines.append(f"<span><b>{number}</b> {shown}</span>")
    yield f'<pre class="code">{"".join(lines)}</pre>'  # without line breaks, which would be shown


def _plain(text: str) -> str:
    return escaped(clipped(text.rstrip().expandtabs(4), _LONGEST))


def _marked(text: str, place: Place) -> str:
    begin = place.column - 1
    end = place.end_column - 1 if place.end_line == place.line else len(text)
    if end > _LONGEST or "\t" in text[begin:end]:
        return f"<mark>{_plain(text)}</mark>"
    before = text[:begin].expandtabs(4)
    after = clipped(text[end:].rstrip(), max(1, _LONGEST - end))
    return f"{escaped(before)}<mark>{escaped(text[begin:end])}</mark>{escaped(after)}"
