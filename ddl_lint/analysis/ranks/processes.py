"""The few processes that are simulated, and the classes of ranks that they represent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ddl_lint.analysis.ranks.grid import Division, Grid

MOST = "the other ranks"
"""The title of the largest class."""


@dataclass(frozen=True, slots=True)
class Process:
    """One process of a job: its number in the job, on its node, and the number of the node; all count from 0."""

    rank: int
    local_rank: int
    node: int
    world_size: int
    local_world_size: int
    grid: Grid | None = None
    """How the job is divided among dimensions of parallelism, where that is known."""

    def number(self, scope: str) -> int | None:
        """The rank in a scope, or along a dimension; None for sub-groups that we know nothing of."""
        own = {"global": self.rank, "local": self.local_rank, "node": self.node}.get(scope)
        return own if own is not None or self.grid is None else self.grid.rank(self.rank, scope)

    def size(self, scope: str) -> int | None:
        """The world size in a scope, or along a dimension; None for sub-groups that we know nothing of."""
        nodes = self.world_size // self.local_world_size
        own = {"global": self.world_size, "local": self.local_world_size, "node": nodes}.get(scope)
        return own if own is not None or self.grid is None else self.grid.size(scope)


def job(nodes: int, per_node: int, divided: Division | None = None) -> tuple[Process, ...]:
    """The processes of a job of so many equal nodes, divided as the program says."""
    grid = divided.grid(nodes * per_node) if divided is not None else None
    return tuple(
        Process(node * per_node + local, local, node, nodes * per_node, per_node, grid)
        for node in range(nodes)
        for local in range(per_node)
    )


@dataclass(frozen=True, slots=True)
class RankClass:
    """Ranks of one job that the program treats the same; `first` represents all of them."""

    members: tuple[Process, ...]
    title: str

    @property
    def first(self) -> Process:
        """The member that is simulated."""
        return self.members[0]

    @property
    def is_plural(self) -> bool:
        """Whether its title is a plural."""
        return self.title.endswith("ranks") or self.title.startswith("ranks ")

    def does(self, verb: str) -> str:
        """The class as the subject of a regular verb: `rank 0 waits`, `the other ranks wait`."""
        return f"{self.title} {verb if self.is_plural else verb + 's'}"

    def pronoun_does(self, verb: str) -> str:
        """The same where the class was named before: `it waits`, `they wait`."""
        return f"they {verb}" if self.is_plural else f"it {verb}s"


def by_signature(
    processes: Iterable[Process],
    signature: Mapping[Process, object],
    truths: Mapping[Process, object] | None = None,
    larger: Iterable[Process] = (),
) -> tuple[RankClass, ...]:
    """The classes of processes of equal signature; that of rank 0 comes first.

    Their names come from a larger job, by what is true in its processes: in a job of two, it is unknown whether
    rank 1 is the last rank, the odd ranks, or all others.
    """
    groups = sorted(_grouped(processes, signature).values(), key=lambda group: group[0].rank)
    own = [_title(group, groups) for group in groups]
    if truths is not None:
        alike = _grouped(larger, truths)
        names = {key: _title(group, list(alike.values())) for key, group in alike.items()}
        given = [names.get(truths[group[0]], "") for group in groups]
        own = [
            better if given.count(better) == 1 and better else worse for worse, better in zip(own, given, strict=True)
        ]
    return tuple(RankClass(tuple(group), title) for group, title in zip(groups, own, strict=True))


def _grouped(processes: Iterable[Process], signature: Mapping[Process, object]) -> dict[object, list[Process]]:
    groups: dict[object, list[Process]] = {}
    for process in processes:
        groups.setdefault(signature[process], []).append(process)
    return groups


def _title(group: Sequence[Process], groups: Sequence[Sequence[Process]]) -> str:
    if len(groups) == 1:
        return "all ranks"
    ranks = [process.rank for process in group]
    if len(groups) == 2 and len(group) > 1 and _steps(ranks) == {2}:
        return "the even ranks" if ranks[0] % 2 == 0 else "the odd ranks"
    if group is max(groups, key=lambda each: (len(each), each[0].rank)):
        return MOST
    if len(group) > 1 and all(process.local_rank == 0 for process in group):
        return "the first rank of each node"
    if ranks[0] and all(process.local_rank == 0 and process.node for process in group):
        return "the first rank of the other nodes"
    if len(group) == 1:
        (only,) = group
        return "the last rank" if only.rank == only.world_size - 1 and only.rank > 1 else f"rank {only.rank}"
    return "ranks " + _enumerated(ranks)


def _steps(ranks: Sequence[int]) -> set[int]:
    return {after - before for before, after in pairwise(ranks)}


def _enumerated(ranks: Sequence[int]) -> str:
    if len(ranks) > 2 and _steps(ranks) == {1}:
        return f"{ranks[0]} to {ranks[-1]}"
    return ", ".join(map(str, ranks[:-1])) + f" and {ranks[-1]}"
