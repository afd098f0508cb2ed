"""The flight recorders of all ranks side by side: at which collective they part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ddl_lint.diagnose.facts import Entry, Recording

PartingKind: TypeAlias = Literal["missing", "order", "sizes", "all"]
"""Some ranks have not called it; they have called another; the same with other sizes or types; all wait in it."""


@dataclass(frozen=True, slots=True)
class Parting:
    """The first collective of a group that did not come to its end everywhere, by rank.

    `missing` are the ranks of the group whose recorder has no such entry, `silent` those without a recorder.
    """

    kind: PartingKind
    group: str
    sequence: int
    entries: tuple[Entry, ...]
    missing: tuple[int, ...] = ()
    silent: tuple[int, ...] = ()
    before: tuple[Entry, ...] = ()
    """Of each missing rank, the last entry before."""


def parting(recordings: Sequence[Recording]) -> Parting | None:
    """Where the ranks of the recorders part; None where all came to their end, or there is no recorder."""
    members: dict[str, set[int]] = {}
    for recording in recordings:
        for name, ranks in recording.groups.items():
            members.setdefault(name, set()).update(ranks)
    default = next(iter(members.values())) if len(members) == 1 else set[int]()  # it may go by two names
    groups = {entry.group for recording in recordings for entry in recording.entries if not entry.is_p2p}
    found = [
        each
        for group in sorted(groups)
        if (each := _parting(group, recordings, members.get(group, default))) is not None
    ]
    order = {"order": 0, "missing": 1, "sizes": 2, "all": 3}
    return min(found, key=lambda each: (order[each.kind], each.sequence), default=None)


def _parting(group: str, recordings: Sequence[Recording], members: set[int]) -> Parting | None:
    by_rank: dict[int, dict[int, Entry]] = {}
    for recording in recordings:
        entries = {entry.sequence: entry for entry in recording.entries if entry.group == group and not entry.is_p2p}
        if entries or recording.rank in members:
            by_rank[recording.rank] = entries
    known = [entries for entries in by_rank.values() if entries]
    if not known:
        return None
    begin = max(min(entries) for entries in known)  # what is earlier was pushed out of some recorders
    last = max(max(entries) for entries in known)
    silent = tuple(sorted(members - by_rank.keys()))
    for sequence in range(begin, min(last, begin + _MOST_STEPS) + 1):
        there = {rank: entries[sequence] for rank, entries in by_rank.items() if sequence in entries}
        missing = tuple(sorted(by_rank.keys() - there.keys()))
        kind = _kind(list(there.values()), bool(missing or silent))
        if kind is not None:
            before = tuple(_before(by_rank, missing, sequence))
            return Parting(kind, group, sequence, tuple(there[rank] for rank in sorted(there)), missing, silent, before)
    return None


_MOST_STEPS = 200_000


def _kind(entries: Sequence[Entry], some_missing: bool) -> PartingKind | None:
    if not entries:
        return None
    if len({entry.op for entry in entries}) > 1:
        return "order"
    is_open = any(entry.is_open for entry in entries)
    if is_open and some_missing:
        return "missing"
    # What is sent may differ in size in a gather or a scatter; in the others all must agree.
    if _sizes_agree(entries[0].op) and len({(entry.sizes, entry.dtypes) for entry in entries}) > 1:
        return "sizes"
    return "all" if is_open else None


def _sizes_agree(op: str) -> bool:
    return not any(word in op.lower() for word in ("all_to_all", "alltoall", "scatter", "coalesced", "v2"))


def _before(by_rank: Mapping[int, Mapping[int, Entry]], missing: Iterable[int], sequence: int) -> Iterable[Entry]:
    for rank in missing:
        earlier = [number for number in by_rank[rank] if number < sequence]
        if earlier:
            yield by_rank[rank][max(earlier)]
