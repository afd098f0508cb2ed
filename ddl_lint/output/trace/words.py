"""What a trace is of: the script or function, the job, and its process groups."""

from __future__ import annotations

from dataclasses import dataclass

from ddl_lint.analysis.ranks.communication import Communication, Launch
from ddl_lint.analysis.ranks.reports import Report
from ddl_lint.output.cells import printable

_MOST_GROUPS = 8


@dataclass(frozen=True, slots=True)
class GroupKind:
    """The process groups along one dimension of parallelism. `number` tells its sign and colour from the others'."""

    number: int
    name: str
    members: str
    """Such as `0 1 | 2 3`; empty where they are not known."""

    @property
    def text(self) -> str:
        """Such as `tensor groups: 0 1 | 2 3`."""
        return f"{self.name} groups" + (f": {self.members}" if self.members else "")


def title(communication: Communication, file: str) -> str:
    """What is shown: `train.py::evaluate`. The file is named as in all of the trace."""
    name = f"::{communication.function}" if communication.function else ""
    return printable(file + name)


def subtitle(communication: Communication) -> str:
    """For which job, and what was followed."""
    nodes, each = communication.nodes, communication.per_node
    job = f"{each} processes" if nodes == 1 else f"{nodes} nodes with {each} processes each"
    shown = (
        f"in a job of {job}" if communication.launch is None else f"{_launched(communication.launch)}, shown with {job}"
    )
    said = f"what all ranks must do together, {shown}"
    return f"{said}; the function by itself, with unknown arguments" if communication.alone else said


def _launched(launch: Launch) -> str:
    """Which job it is, and its size, where that is known."""
    on = f" on {launch.nodes} nodes" if launch.nodes is not None and launch.nodes > 1 else ""
    size = f" ({launch.processes} processes{on})" if launch.processes is not None else ""
    return f"as {launch.place} starts them{size}"


def group_kinds(communication: Communication) -> list[GroupKind]:
    """The kinds of process groups of a divided job, and of the calls that are made in groups; counted from 1."""
    grid = communication.grid
    used = (cell.group for row in communication.rows for cell in row.cells if cell is not None and cell.group)
    names = dict.fromkeys([*(grid.dimensions if grid is not None else ()), *used])
    kinds: list[GroupKind] = []
    for number, name in enumerate(names, start=1):
        listed = grid.groups(name) if grid is not None and grid.size(name) is not None else ()
        members = " | ".join(" ".join(map(str, group)) for group in listed[:_MOST_GROUPS])
        more = " | ..." if len(listed) > _MOST_GROUPS else ""
        kinds.append(GroupKind(number, name, members + more))
    return kinds


_BACKENDS = {"nccl": "NCCL", "gloo": "Gloo", "mpi": "MPI", "ucc": "UCC", "horovod": "Horovod"}
"""How they write themselves."""


def printed(report: Report) -> str:
    """Who prints a message, and when: `NCCL prints after 10 minutes`."""
    backend = _BACKENDS.get(report.backend, report.backend)
    if not report.seconds:
        return f"{backend} then prints"
    minutes, rest = divmod(report.seconds, 60)
    time = f"{report.seconds} seconds" if rest or minutes < 2 else f"{minutes} minutes"
    return f"{backend} prints after {time}"
