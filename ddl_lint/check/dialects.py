"""Files that are not written for Python 3 alone: of those that nothing starts, one info tells."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ddl_lint.finding import Evidence, RuleFinding, Severity
from ddl_lint.syntax.dialects import DIALECTS

_SHOWN = 5


def one_for_dialects(
    faults: Sequence[RuleFinding], launched: Collection[str | None], given: Collection[str]
) -> list[RuleFinding]:
    """The faults of texts; those of Python 2, or of notebooks, are one info for each: no launch runs such a file.

    Args:
        faults: What was found in all files.
        launched: The paths of the scripts that launches start, which somebody runs.
        given: Those of the files that are checked: the info is at one of them if there is one.
    """
    kept: list[RuleFinding] = []
    told: dict[str, list[RuleFinding]] = {}
    for fault in sorted(faults, key=lambda fault: fault.location.path not in given):
        message = fault.finding.message
        if message in DIALECTS and fault.location.path not in launched:
            told.setdefault(message, []).append(fault)
        else:
            kept.append(fault)
    for first, *others in told.values():
        places = tuple(Evidence("the same here", other.location) for other in others[:_SHOWN])
        finding = replace(first.finding, severity=Severity.INFO, evidence=(*first.finding.evidence, *places))
        kept.append(replace(first, finding=finding))
    return kept
