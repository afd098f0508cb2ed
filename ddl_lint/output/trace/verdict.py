"""What a trace comes to, said once: whether the ranks meet, and how far that can be relied on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ddl_lint.analysis.ranks.blind_spots import BlindKind, BlindSpot
from ddl_lint.analysis.ranks.communication import Communication, Gap
from ddl_lint.claim import worded
from ddl_lint.output.trace.labels import where
from ddl_lint.output.trace.outline import Documents
from ddl_lint.registry.consequences import CONSEQUENCES
from ddl_lint.source.span import Location

Tone: TypeAlias = Literal["hang", "doubt", "clear"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One sentence, and what limits it. The tone is `doubt` where it is unknown whether all is well."""

    tone: Tone
    text: str
    limits: tuple[str, ...] = ()
    places: tuple[Location, ...] = ()
    """What is named in it."""


def verdict(communication: Communication, documents: Documents) -> Verdict:
    """The verdict on a trace."""
    named = (communication.hidden, communication.stop, *communication.blind)
    places = [each.location for each in named if each is not None]
    places += [gap.place for gap in communication.gaps if gap.said and gap.place is not None]
    return replace(_verdict(communication, documents), places=tuple(places))


def _verdict(communication: Communication, documents: Documents) -> Verdict:
    gaps = communication.gaps
    certain, doubtful = [gap for gap in gaps if gap.certain], [gap for gap in gaps if not gap.certain]
    limits = [*_limits(communication, documents), *(_not_covered(each, documents) for each in communication.blind)]
    if len(certain) == 1 and certain[0].said:  # its own words say more than a number
        text = _told(certain[0], documents)
        limits = [limit for limit in limits if limit != text]
    else:
        text = worded(f"the ranks do not meet in {_places(len(certain))}", _worst(certain))
    if certain:
        if doubtful:
            limits.insert(0, f"Possible hang in {_places(len(doubtful), 'more ')}{_doubt(doubtful)}")
        return Verdict("hang", text, tuple(limits))
    if doubtful:
        return Verdict("doubt", f"Possible hang in {_places(len(doubtful))}{_doubt(doubtful)}", tuple(limits))
    if communication.hidden is not None or communication.stop is not None:
        first, *rest = limits
        return Verdict("doubt", first, tuple(rest))
    calls = {(cell.name, cell.location) for row in communication.rows if row.is_certain for cell in row.cells
             if cell is not None and cell.leaves is None}  # fmt: skip
    if not communication.rows:
        return Verdict("clear", "No collectives found: ddl-lint sees no call that all ranks must make together")
    if not calls:
        return Verdict("doubt", _NOTHING_CERTAIN, tuple(limits))
    number = f"{len(calls)} collective {'call' if len(calls) == 1 else 'calls'}"
    return Verdict("clear", f"No hang found in what was followed: the ranks meet in {number}", tuple(limits))


_CANNOT_TELL = ": ddl-lint cannot tell whether the call needs the other ranks"
_NOTHING_CERTAIN = (
    "No hang found in what was followed, but ddl-lint cannot tell of any call here whether it needs the other ranks"
)
_BLIND: Mapping[BlindKind, str] = {
    "loop": "Not covered: how often {} runs, which depends on data; taken to be the same on all ranks",
    "generate": "Not covered: how many steps {} takes on each rank; ranks that end early leave the others waiting",
    "sharded": "Not covered: what the sharded {} gathers inside its forward",
    "unknown": "Not covered: what {} does, which was not followed",
}


def _not_covered(spot: BlindSpot, documents: Documents) -> str:
    more = f" and {spot.more} more" if spot.more else ""
    return _BLIND[spot.kind].format(f"`{spot.text}` ({where(spot.location, documents)}){more}")


def _doubt(gaps: Sequence[Gap]) -> str:
    """Why it is not certain; a rule that is not sure says that itself."""
    reasons = {gap.doubt for gap in gaps}
    if len(reasons) == 1 and "" not in reasons:
        return f": {reasons.pop()}"
    return "" if all(gap.said or gap.doubt for gap in gaps) else _CANNOT_TELL


def _worst(gaps: Iterable[Gap]) -> str:
    """The worst of their consequences."""
    found = {gap.consequence for gap in gaps}
    return next((name for name in CONSEQUENCES if name in found), "")


def _places(number: int, more: str = "") -> str:
    return f"{number} {more}{'place' if number == 1 else 'places'}"


def _told(gap: Gap, documents: Documents) -> str:
    return gap.message if gap.place is None else f"{gap.message} ({where(gap.place, documents)})"


def _limits(communication: Communication, documents: Documents) -> list[str]:
    limits = [_told(gap, documents) for gap in communication.elsewhere]
    hidden, stop = communication.hidden, communication.stop
    if hidden is not None:
        place = where(hidden.location, documents)
        limits.append(f"The training loop is inside `{hidden.name}(...)` ({place}), which ddl-lint cannot see")
    if stop is not None:
        place = where(stop.location, documents)
        place = f"`{stop.function}()` ({place})" if stop.function else place
        limits.append(
            f"Partly checked: the analysis stopped after {stop.limit}, in {place}; code after it was not checked"
        )
    return limits
