"""The one entry to all formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ddl_lint.crash import crash
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Confidence, Severity
from ddl_lint.output import github, json, text
from ddl_lint.output.places import place_of
from ddl_lint.program.followed import Coverage
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location

if TYPE_CHECKING:
    from ddl_lint.output.links import Links

FORMATS = ("text", "concise", "json", "github")


def render(
    findings: Sequence[Diagnostic],
    documents: Mapping[str, Document],
    format: str,
    *,
    files: int | None = None,
    colour: bool = False,
    summary: bool = True,
    programs: Sequence[Coverage] = (),
    links: Links | None = None,
    counts: bool = False,
) -> str:
    """Findings as a text, sorted by file and line; see `_order`.

    A finding that a format cannot show is told as a fault of ours in its place.

    Args:
        findings: What was found.
        documents: The documents that findings and evidence point into, by path.
        format: One of `FORMATS`.
        files: The number of files checked, for the summary; None leaves it out.
        colour: Whether to colour the formats that are made for people.
        summary: Whether those formats end with a summary.
        programs: What was followed from where, for the formats that programs read.
        links: Where places and rules lead to, for the formats that are made for people; None: they are no links.
        counts: Whether to count the findings: in place of them for people, besides them in JSON.
    """
    how = _How(documents, format, files, colour, summary, programs, links, counts)
    try:
        return _rendered(findings, how)
    except Exception:
        return _rendered([_showable(finding, how) for finding in findings], how)


class _How(NamedTuple):
    """The arguments of `render` beside the findings."""

    documents: Mapping[str, Document]
    format: str
    files: int | None
    colour: bool
    summary: bool
    programs: Sequence[Coverage]
    links: Links | None
    counts: bool


def _showable(finding: Diagnostic, how: _How) -> Diagnostic:
    """A finding, or one that says why it cannot be shown."""
    try:
        _rendered([finding], how)
    except Exception as error:
        start = Location(finding.location.path, 0, 0)
        fault = crash(f"showing what {finding.code} has found", error, start)
        return Diagnostic(fault.code, "rule-crashed", fault.finding.message, start, Severity.ERROR, Confidence.HIGH)
    return finding


def _order(finding: Diagnostic, documents: Mapping[str, Document]) -> tuple[object, ...]:
    """The key to sort by: from line to line; on one line the worst first, and of equals the one that says most exactly
    where.
    """
    place = place_of(finding.location, documents)
    return place.order, -finding.severity.rank, place.size, place.column, finding.code


def _rendered(findings: Sequence[Diagnostic], how: _How) -> str:
    documents, format, files, colour, summary, programs, links, counts = how
    ordered = sorted(findings, key=lambda finding: _order(finding, documents))
    if format == "json":
        return json.render(ordered, documents, programs, counts=counts)
    if format == "github":
        return github.render(ordered, documents)
    write = text.concise if format == "concise" else text.full
    if counts:
        from ddl_lint.output import statistics  # here, since most checks do not count

        blocks = statistics.lines(ordered)
    else:
        blocks = write(ordered, documents, colour=colour, links=links)
    if summary:
        blocks.append(text.summary(ordered, files))
    return "".join(f"{block}\n" for block in blocks)
