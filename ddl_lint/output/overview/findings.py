"""Findings as a part of the page: what is wrong, where, what to do, and why it is so.

Where there are very many, the rest is a line each, so that the page can still be sent and read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Confidence, Evidence, JobOfFinding
from ddl_lint.output.addresses import rule_page
from ddl_lint.output.counted import counted
from ddl_lint.output.html.code import code, marked, plain
from ddl_lint.output.html.escaped import escaped
from ddl_lint.output.overview.pictures import Pictures
from ddl_lint.output.places import Place, place_of
from ddl_lint.output.trace.html_text import link, sentence, source
from ddl_lint.output.trace.presentation import Spot, Spots

_BEFORE = 2  # lines that are shown before the one that is meant
_MOST_WHOLE, _MOST_LISTED = 100, 400  # findings of one consequence
_MOST_EVIDENCE = 20


@dataclass(slots=True)
class Findings:
    """Writes them; each has a number in the page."""

    spots: Spots
    pictures: Pictures
    owners: Callable[[Diagnostic], Sequence[str]]
    _count: int = 0

    def lines(self, findings: Sequence[Diagnostic]) -> Iterator[str]:
        """The findings of one consequence."""
        for finding in findings[:_MOST_WHOLE]:
            yield from self._finding(finding)
        rest = findings[_MOST_WHOLE:]
        if not rest:
            return
        yield f"<details><summary>{counted(len(rest), 'more finding')}</summary><ul>"
        yield from map(self._in_short, rest[:_MOST_LISTED])
        yield "</ul>"
        if len(rest) > _MOST_LISTED:
            yield f"<p>And {len(rest) - _MOST_LISTED} more: <code>ddl-lint check</code> names them all.</p>"
        yield "</details>"

    def _finding(self, finding: Diagnostic) -> Iterator[str]:
        self._count += 1
        spot = self.spots.of(finding.location)
        places = [finding.location, *(part.location for part in finding.evidence)]
        owners = self.owners(finding)
        marked = f'id="finding-{self._count}" data-finding data-severity="{finding.severity.value}" tabindex="-1"'
        marked += f' data-owners="{escaped(" ".join(owners))}"'
        yield f'<article class="finding {finding.severity.value}" {marked}>'
        anchor = f'<a class="anchor" href="#finding-{self._count}" aria-label="Link to this finding">#</a>'
        yield f"<h3>{sentence(finding.message, self.spots, places)} {anchor}</h3>"
        said = f"{finding.severity.value} {_rule(finding)}"
        said += f' <span class="owners">{escaped(", ".join(owners))}</span>' if owners else ""
        yield f'<p class="where">{link(spot, self.spots, _name(spot))} <span>{said}</span></p>'
        yield from _code(place_of(finding.location, self.spots.documents))
        yield from self._advice(finding)
        yield from self._jobs(finding)
        if self.pictures.shows(finding):
            yield from self.pictures.of(finding)
        elif finding.evidence:
            yield from self._why(finding.evidence)
        yield "</article>"

    def _in_short(self, finding: Diagnostic) -> str:
        spot = self.spots.of(finding.location)
        said = f"{sentence(finding.message, self.spots)} <b>{escaped(finding.code)}</b>"
        return f"<li>{link(spot, self.spots, _name(spot))}: {said}</li>"

    def _why(self, evidence: Sequence[Evidence]) -> Iterator[str]:
        yield "<details open><summary>Why</summary><ol>"
        yield from map(self._evidence, evidence[:_MOST_EVIDENCE])
        yield "</ol>"
        if len(evidence) > _MOST_EVIDENCE:
            yield f"<p>And {counted(len(evidence) - _MOST_EVIDENCE, 'more place')}.</p>"
        yield "</details>"

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

    def _jobs(self, finding: Diagnostic) -> Iterator[str]:
        """Which jobs of the project meet it, and which do not."""
        for is_met, title in ((True, "Met in"), (False, "Not met in")):
            jobs = [job for job in finding.jobs if job.is_met is is_met]
            if jobs:
                shown = ", ".join(map(self._job, jobs[:_MOST_EVIDENCE]))
                yield f'<p class="jobs"><b>{title} {counted(len(jobs), "job")}</b> {shown}</p>'

    def _job(self, job: JobOfFinding) -> str:
        spot = self.spots.of(job.place)
        size = f" ({counted(job.world_size, 'process', 'processes')}" if job.world_size is not None else ""
        nodes = f" on {job.nodes} nodes" if size and job.nodes is not None and job.nodes > 1 else ""
        return f"{link(spot, self.spots)}{size}{nodes}{')' if size else ''}"

    def _text(self, text: str) -> str:
        return "<br>".join(sentence(line, self.spots) for line in text.strip().splitlines())

    def _evidence(self, part: Evidence) -> str:
        spot = self.spots.of(part.location)
        return f"<li>{sentence(part.message, self.spots)}: {link(spot, self.spots)}{source(spot)}</li>"


def _rule(finding: Diagnostic) -> str:
    """The rule, as a link where its page has an address."""
    said = f"<b>{escaped(finding.code)}</b> {escaped(finding.name)}"
    address = rule_page(finding.name)
    return f'<a href="{escaped(address)}">{said}</a>' if address else said


def _name(spot: Spot) -> str:
    return f"{spot.file}:{spot.line}" if spot.cell is None else f"{spot.file}, cell {spot.cell}:{spot.line}"


def _code(place: Place) -> Iterator[str]:
    """The line of a finding with those before it, and a mark on what is meant."""
    if place.line_text is None:
        return
    before = (
        (number, plain(place.line_text(number)), "") for number in range(max(1, place.line - _BEFORE), place.line)
    )
    text = place.line_text(place.line)
    end = place.end_column - 1 if place.end_line == place.line else len(text)
    yield code([*before, (place.line, marked(text, place.column - 1, end), "")])
