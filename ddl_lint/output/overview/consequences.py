"""Findings by what they cost, the worst first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.output.overview.subject import Subject
from ddl_lint.output.places import place_of


@dataclass(frozen=True, slots=True)
class Consequence:
    """What faults cost. `prefix` begins the messages that say so."""

    name: str
    prefix: str
    one: str
    many: str
    meaning: str


_ALL = (
    Consequence("hang", "Hang", "hang", "hangs", "Some ranks wait for others that never come."),
    Consequence(
        "wrong-result", "Wrong result", "wrong result", "wrong results", "The job ends, and its numbers are off."
    ),
    Consequence("data-loss", "Data loss", "data loss", "data losses", "Work that was done cannot be had again."),
    Consequence("crash", "Crash", "crash", "crashes", "The job ends with an error."),
    Consequence("race", "Race", "race", "races", "It depends on who comes first."),
    Consequence("wasted-work", "Wasted work", "wasted work", "wasted work", "The job takes longer than it needs to."),
    Consequence("other", "", "other finding", "other findings", ""),
)
_BY_NAME = {each.name: each for each in _ALL}
_BY_PREFIX = {each.prefix: each for each in _ALL if each.prefix}


def by_consequence(subject: Subject) -> list[tuple[Consequence, list[Diagnostic]]]:
    """The findings of rules. What the engine could not read or follow is none of them: see `coverage`."""
    found: dict[str, list[Diagnostic]] = {}
    for finding in subject.findings:
        if finding.code in subject.consequences:
            found.setdefault(_consequence(finding, subject).name, []).append(finding)
    return [(each, sorted(found[each.name], key=_order(subject))) for each in _ALL if each.name in found]


def _order(subject: Subject) -> Callable[[Diagnostic], tuple[object, ...]]:
    """The worst first; equals from line to line."""

    def key(finding: Diagnostic) -> tuple[object, ...]:
        place = place_of(finding.location, subject.documents)
        return -finding.severity.rank, place.order, place.column, finding.code

    return key


def _consequence(finding: Diagnostic, subject: Subject) -> Consequence:
    """What the message says, else what the rule does."""
    said = _BY_PREFIX.get(finding.message.partition(":")[0])
    return said or _BY_NAME.get(subject.consequences[finding.code], _BY_NAME["other"])


def of_engine(subject: Subject) -> Sequence[Diagnostic]:
    """What kept the engine from reading or following something."""
    return [finding for finding in subject.findings if finding.code not in subject.consequences]
