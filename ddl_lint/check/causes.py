"""One cause, one finding: those of a rule that name the same cause become one, at the first of their places."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from ddl_lint.finding import Applicability, Edit, Evidence, Finding, Fix, RuleFinding, Severity
from ddl_lint.source.span import Location

_SHOWN = 5
_WEAKEST = (Applicability.DISPLAY_ONLY, Applicability.UNSAFE, Applicability.SAFE)


def by_cause(found: Iterable[RuleFinding], given: Collection[str]) -> Iterator[RuleFinding]:
    """The findings, those of one rule and one cause as one: the worst, and of equals that of the first place. The other
    places are evidence, those in the `given` files first.
    """
    groups: dict[object, list[RuleFinding]] = {}
    for each in found:
        cause = each.finding.cause
        groups.setdefault((each.code, cause) if cause is not None else id(each), []).append(each)
    for group in groups.values():
        yield (
            group[0]
            if len(group) == 1
            else RuleFinding(group[0].code, _joined([each.finding for each in group], given))
        )


def _joined(findings: Sequence[Finding], given: Collection[str]) -> Finding:
    first, *others = sorted(findings, key=lambda each: (-(each.severity or Severity.ERROR).rank, each.location))
    shown = sorted(others, key=lambda each: each.location.path not in given)[:_SHOWN]
    places = tuple(dict.fromkeys(each.location for each in others))
    more = f"and {len(places)} more {'place' if len(places) == 1 else 'places'}"
    seen = {each.location for each in first.evidence}
    evidence = tuple(Evidence(each.message, each.location) for each in shown if each.location not in seen)
    fix = _fix([first, *others], more)
    return replace(
        first,
        message=f"{first.message} ({more})",
        evidence=(*first.evidence, *evidence),
        fix=fix,
        unfixable="" if fix is not None else first.unfixable,
        places=places,
    )


def _fix(findings: Sequence[Finding], more: str) -> Fix | None:
    """One fix for all places, where their edits go together; else the first that there is: the next round of fixes
    makes the others.
    """
    fixes = [each.fix for each in findings if each.fix is not None]
    if not fixes:
        return None
    edits = sorted({edit for fix in fixes for edit in fix.edits}, key=lambda edit: edit.location)
    if len(fixes) < len(findings) or any(fix.isolation for fix in fixes) or _overlap(edits):
        return fixes[0]
    weakest = min(fixes, key=lambda fix: _WEAKEST.index(fix.applicability))
    return replace(weakest, title=f"{fixes[0].title} ({more})", edits=tuple(edits))


def _overlap(edits: Iterable[Edit]) -> bool:
    places: Iterable[tuple[Location, Location]] = pairwise(edit.location for edit in edits)
    return any(one.path == other.path and (other.start < one.end or one == other) for one, other in places)
