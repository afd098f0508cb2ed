"""Measurements that can be compared: all of them in turn, several times, so that what disturbs one disturbs all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import TypeVar

from benchmarks.processes import CommandError, Usage

_Key = TypeVar("_Key")


@dataclass
class Series:
    """What the runs of one command cost; `failure` is why there are no more."""

    runs: list[Usage] = field(default_factory=list[Usage])
    failure: str = ""

    @property
    def cpu(self) -> float:
        """Median of CPU seconds."""
        return median(run.cpu for run in self.runs) if self.runs else float("nan")

    @property
    def wall(self) -> float:
        """Median of seconds that went by."""
        return median(run.wall for run in self.runs) if self.runs else float("nan")

    @property
    def memory(self) -> float:
        """The most memory that a process held, in MiB."""
        return max((run.memory for run in self.runs), default=float("nan"))


def in_turn(runs: Mapping[_Key, Callable[[], Usage]], rounds: int, seconds: float) -> dict[_Key, Series]:
    """Do each of the runs so many times, but none again after it has used this many CPU seconds, or failed."""
    series = {key: Series() for key in runs}
    for _ in range(rounds):
        for key, run in runs.items():
            one = series[key]
            if one.failure or sum(each.cpu for each in one.runs) >= seconds:
                continue
            try:
                one.runs.append(run())
            except CommandError as error:
                one.failure = str(error)
    return series


def ratio(ours: Series, theirs: Series) -> float:
    """CPU time of one as a multiple of the other's: the median of the ratios of the rounds."""
    pairs = zip(ours.runs, theirs.runs, strict=False)
    return median([mine.cpu / other.cpu for mine, other in pairs] or [float("nan")])
