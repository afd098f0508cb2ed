"""How a job is divided among dimensions of parallelism: which ranks form the groups of each of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from ddl_lint.analysis.queries.launch_values import number_under_launch, started_processes
from ddl_lint.analysis.view import RunView
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Const, Setting

_ABBREVIATIONS = {
    "tp": "tensor",
    "sp": "sequence",
    "cp": "context",
    "ep": "expert",
    "dp": "data",
    "pp": "pipeline",
}
_TOGETHER = {"model": ("tensor", "pipeline")}
_SIZES = ("tensor", "sequence", "context", "pipeline")
"""Those that a program sets; data parallelism takes what is left."""

_LARGEST_JOB = 64
_SMALLEST_GROUP = 2


@dataclass(frozen=True, slots=True)
class Grid:
    """The size of each dimension; the rank runs through the first one fastest."""

    sizes: tuple[tuple[str, int], ...]

    @property
    def world_size(self) -> int:
        """The number of processes."""
        return prod(size for _, size in self.sizes)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """Those along which there are several ranks."""
        return tuple(name for name, size in self.sizes if size > 1)

    def rank(self, rank: int, dimension: str) -> int | None:
        """The number of a rank in its group of a dimension; None for dimensions that nothing is known of."""
        number, stride, step = 0, 1, 1
        parts = _parts(dimension)
        if self.size(dimension) is None:
            return None
        for name, size in self.sizes:
            if name in parts:
                number += rank // stride % size * step
                step *= size
            stride *= size
        return number

    def size(self, dimension: str) -> int | None:
        """The number of ranks in each group of a dimension."""
        sizes = dict(self.sizes)
        parts = _parts(dimension)
        return prod(sizes[part] for part in parts) if sizes.keys() >= set(parts) else None

    def groups(self, dimension: str) -> tuple[tuple[int, ...], ...]:
        """The ranks of all groups of a dimension."""
        parts = _parts(dimension)
        found: dict[tuple[int | None, ...], list[int]] = {}
        for rank in range(self.world_size):
            place = tuple(self.rank(rank, name) for name, _ in self.sizes if name not in parts)
            found.setdefault(place, []).append(rank)
        return tuple(map(tuple, found.values()))


def _parts(dimension: str) -> tuple[str, ...]:
    return _TOGETHER.get(dimension, (dimension,))


@dataclass(frozen=True, slots=True)
class Division:
    """What a program says of the grid: the order of the dimensions, the sizes of all but the data-parallel one, and how
    many processes its launches start, where that is known. A size that is not known is the smallest one of a group.
    """

    order: tuple[str, ...]
    sizes: tuple[tuple[str, int], ...]
    started: int | None = None

    @property
    def per_replica(self) -> int:
        """The number of ranks that share a copy of the model."""
        return prod(size for _, size in self.sizes)

    @property
    def processes(self) -> int:
        """How many processes a job has in which all groups can be seen."""
        if self.started is not None and self.started <= _LARGEST_JOB and self.grid(self.started) is not None:
            return self.started
        return 2 * self.per_replica

    def grid(self, world_size: int) -> Grid | None:
        """The grid of a job of so many processes; None where they cannot be divided so."""
        replicas, left = divmod(world_size, self.per_replica)
        if left or not replicas:
            return None
        sizes = {**dict(self.sizes), "data": replicas}
        return Grid(tuple((name, sizes[name]) for name in self.order if name in sizes))


def division(run: RunView) -> Division | None:
    """How a run divides its job, where it says so once."""
    return run.once(_division)


def _division(run: RunView) -> Division | None:
    known = {_of_event(run, event) for event in run.all_events if "grid_order" in event.operands}
    return known.pop() if len(known) == 1 else None


def _of_event(run: RunView, event: Event) -> Division | None:
    order = _order(event)
    asked = {name: _size(run, event, role) for name in _SIZES if (role := f"{name}_parallel") in event.operands}
    if order is None or any(size is not None and size < 1 for size in asked.values()):
        return None
    sizes = tuple((name, size or _SMALLEST_GROUP) for name, size in asked.items())
    found = Division(order, sizes, started_processes(run) if None not in asked.values() else None)
    return found if found.per_replica <= _LARGEST_JOB // 2 else None


def _order(event: Event) -> tuple[str, ...] | None:
    """`tp-cp-ep-dp-pp` in words; None where data parallelism is not among them."""
    order = event.operands.get("grid_order")
    if not isinstance(order, Const) or not isinstance(order.value, str):
        return None
    names = _words(order.value.lower().split("-"))
    return names if "data" in names and "grid_order" not in event.unseen else None


def _words(abbreviations: Iterable[str]) -> tuple[str, ...]:
    return tuple(_ABBREVIATIONS.get(each, each) for each in abbreviations)


def _size(run: RunView, event: Event, role: str) -> int | None:
    """A size; where an option of the script gives it (`--tensor-model-parallel-size`), what the launches give."""
    if role in event.unseen:
        return None
    value = event.operands.get(role)
    if isinstance(value, Const) and isinstance(value.value, str) and value.value.startswith("--"):
        value = Setting(value.value[2:].replace("-", "_"), "argument", Const(1))
    return number_under_launch(run, value)
