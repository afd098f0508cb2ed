"""The one entry to all formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ddl_lint.crash import crash
from ddl_lint.diagnostic import Diagnostic, Silenced
from ddl_lint.finding import Confidence, Severity
from ddl_lint.output.formats import FORMATS
from ddl_lint.output.places import place_of
from ddl_lint.output.shown import Shown, escaped
from ddl_lint.program.followed import Coverage
from ddl_lint.registry.rule_file import RuleInfo
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location

if TYPE_CHECKING:
    from ddl_lint.output.links import Links


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
    rules: Mapping[str, RuleInfo] | None = None,
    folder: str = "",
    hints: Sequence[Diagnostic] = (),
    silenced: Sequence[Silenced] = (),
) -> str:
    """Findings as a string, sorted by file and line; see `_order`.

    What comes from the checked files can neither act on a terminal nor begin a line, in any format. A finding that a
    format cannot show is reported as a fault of ours in its place.

    Args:
        findings: What was found.
        documents: The documents that findings and evidence point into, by path.
        format: One of `FORMATS`.
        files: The number of files checked, for the summary; None leaves it out.
        colour: Whether to colour the formats that are made for people.
        summary: Whether those formats end with a summary.
        programs: What was followed from where, for the formats that programs read.
        links: Where places and rules lead to, in the formats that are made for people; None: they are no links.
        counts: Whether to count the findings: in place of them for people, besides them in JSON.
        rules: What is known of the rules, by code, for the formats that describe them.
        folder: The folder that files are relative to in fingerprints; empty: the working directory.
        hints: Infos that were not asked for: the summary counts them, and complete formats show them.
        silenced: What comments and a baseline leave out, for the formats that say so.
    """
    if FORMATS[format].is_complete:
        findings = [*findings, *hints]
    shown = Shown(findings, documents, files, colour, summary, programs, links, counts, rules or {}, folder, len(hints))
    shown = replace(shown, silenced=silenced)
    try:
        return _rendered(shown, format)
    except Exception:
        return _rendered(replace(shown, findings=[_showable(each, shown, format) for each in findings]), format)


def _showable(finding: Diagnostic, shown: Shown, format: str) -> Diagnostic:
    """A finding, or one that says why it cannot be shown."""
    try:
        _rendered(replace(shown, findings=[finding]), format)
    except Exception as error:
        start = Location(finding.location.path, 0, 0)
        fault = crash(f"showing what {finding.code} has found", error, start)
        return Diagnostic(fault.code, "rule-crashed", fault.finding.message, start, Severity.ERROR, Confidence.HIGH)
    return finding


def _rendered(shown: Shown, format: str) -> str:
    ordered = sorted(shown.findings, key=lambda finding: _order(finding, shown.documents))
    return FORMATS[format].render(replace(shown, findings=list(map(escaped, ordered))))


def _order(finding: Diagnostic, documents: Mapping[str, Document]) -> tuple[object, ...]:
    """The key to sort by: from line to line; on one line the worst first, and of equals the one that says most exactly
    where.
    """
    place = place_of(finding.location, documents)
    return place.order, -finding.severity.rank, place.size, place.column, finding.code
