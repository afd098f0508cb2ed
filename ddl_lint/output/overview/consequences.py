"""Findings by what they cost, the worst first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.output.overview.subject import Subject
from ddl_lint.output.places import place_of
from ddl_lint.registry.consequences import CONSEQUENCES, Consequence

OTHER = Consequence("other", "Other findings", "", "Other finding")


def by_consequence(subject: Subject) -> list[tuple[Consequence, list[Diagnostic]]]:
    """The findings of rules. What the engine could not read or follow is none of them: see `coverage`."""
    found: dict[str, list[Diagnostic]] = {}
    for finding in subject.findings:
        if _is_of_rule(finding):
            found.setdefault(finding.consequence, []).append(finding)
    known = {**CONSEQUENCES, "": OTHER}
    return [(each, sorted(found[name], key=_order(subject))) for name, each in known.items() if name in found]


def _order(subject: Subject) -> Callable[[Diagnostic], tuple[object, ...]]:
    """The worst first; equals from line to line."""

    def key(finding: Diagnostic) -> tuple[object, ...]:
        place = place_of(finding.location, subject.documents)
        return -finding.severity.rank, place.order, place.column, finding.code

    return key


def of_engine(subject: Subject) -> Sequence[Diagnostic]:
    """What kept the engine from reading or following something."""
    return [finding for finding in subject.findings if not _is_of_rule(finding)]


def _is_of_rule(finding: Diagnostic) -> bool:
    """Every rule says what its findings cost, or what the user sees."""
    return bool(finding.consequence or finding.symptom)
