"""Which fixes go together, and what texts become of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Applicability, Edit, Fix

LEVELS = {
    Applicability.SAFE: frozenset({Applicability.SAFE}),
    Applicability.UNSAFE: frozenset({Applicability.SAFE, Applicability.UNSAFE}),
}
"""What may be applied when fixes up to some applicability are wanted."""


def is_applicable(fix: Fix | None, level: Applicability) -> bool:
    """Whether a fix may be applied when those up to `level` are wanted."""
    return fix is not None and bool(fix.edits) and fix.applicability in LEVELS[level]


@dataclass
class Round:
    """Fixes that are applied at once: none touches what another one changes."""

    chosen: list[Diagnostic] = field(default_factory=list[Diagnostic])
    waiting: list[Diagnostic] = field(default_factory=list[Diagnostic])
    """Those that overlap with one that was chosen before: they may get their turn in the next round."""

    edits: dict[str, list[Edit]] = field(default_factory=lambda: defaultdict(list))
    """By path, each edit once, in the order of the text."""


def choose(findings: Iterable[Diagnostic]) -> Round:
    """Take the fixes of findings in their order, leaving out those that overlap with one that was taken.

    Two insertions at one place overlap, unless they are equal: then they are made once (such as an import that two
    fixes need). Of fixes with the same `isolation` only the first is taken.
    """
    found = Round()
    isolated: set[str] = set()
    for finding in findings:
        fix = finding.fix
        if fix is None:
            continue
        if fix.isolation in isolated or any(_clashes(edit, found.edits[edit.location.path]) for edit in fix.edits):
            found.waiting.append(finding)
            continue
        found.chosen.append(finding)
        if fix.isolation:
            isolated.add(fix.isolation)
        for edit in fix.edits:
            if edit not in found.edits[edit.location.path]:
                found.edits[edit.location.path].append(edit)
    for edits in found.edits.values():
        edits.sort(key=_order)
    return found


def _order(edit: Edit) -> tuple[int, int]:
    return edit.location.start, edit.location.end


def _clashes(edit: Edit, others: Sequence[Edit]) -> bool:
    start, end = edit.location.start, edit.location.end
    for other in others:
        if edit == other:
            if start == end:
                continue  # inserted once, it serves both
            return True
        first, last = other.location.start, other.location.end
        if start == first or (start < last and first < end):
            return True
    return False


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits made, none of which overlaps another. Of two at one place, the insertion comes first."""
    parts: list[str] = []
    position = 0
    for edit in sorted(edits, key=_order):
        parts.append(text[position : edit.location.start])
        parts.append(edit.text)
        position = edit.location.end
    return "".join([*parts, text[position:]])


def by_path(edits: Iterable[Edit]) -> Mapping[str, list[Edit]]:
    """Edits by the file that they are for."""
    found: dict[str, list[Edit]] = defaultdict(list)
    for edit in edits:
        found[edit.location.path].append(edit)
    return found
