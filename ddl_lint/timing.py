"""CPU time of a check by stage, and by what the stages worked on: files, scripts, rules.

Code that is worth a line of its own says `with stage(...)`. That costs next to nothing unless somebody collects.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from types import TracebackType

START, REST = "start", "rest"

thread_seconds: Callable[[], float] = getattr(time, "thread_time", time.perf_counter)
"""CPU seconds of this thread; in a browser, which cannot tell them, the seconds of a clock."""


@dataclass
class Times:
    """CPU seconds, user and system, by stage and subject; stages are in the order in which they were first come to.

    A stage's time is its own: that of a stage inside of it is counted there only. Plain data, so that processes can
    send it to each other.
    """

    seconds: dict[tuple[str, str], float] = field(default_factory=dict[tuple[str, str], float])

    def add(self, other: Times) -> None:
        """Take in what another process has measured."""
        for place, seconds in other.seconds.items():
            self.seconds[place] = self.seconds.get(place, 0.0) + seconds

    def by_stage(self) -> dict[str, float]:
        """Seconds of each stage."""
        return _summed((stage, seconds) for (stage, _), seconds in self.seconds.items())

    def by_subject(self, *stages: str) -> dict[str, float]:
        """Seconds of each thing that these stages worked on, the slowest first."""
        places = (
            (subject, seconds) for (stage, subject), seconds in self.seconds.items() if subject and stage in stages
        )
        return dict(sorted(_summed(places).items(), key=lambda item: -item[1]))


def _summed(pairs: Iterable[tuple[str, float]]) -> dict[str, float]:
    result: dict[str, float] = {}
    for key, seconds in pairs:
        result[key] = result.get(key, 0.0) + seconds
    return result


@contextmanager
def collect() -> Generator[Times, None, None]:
    """Measure stages until the end of the block, in all threads of this process.

    What the process had spent before is the stage `START`, what no stage claims is `REST`.
    """
    global _clock
    outer, times = _clock, Times()
    _clock = clock = _Clock(times)
    try:
        yield times
    finally:
        clock.charge()
        _clock = outer


def stage(name: str, subject: str = "") -> AbstractContextManager[object]:
    """What is done in the block belongs to this stage, and was done for this file, script or rule."""
    return _OFF if _clock is None else _Stage(_clock, (name, subject))


def open_stages() -> tuple[tuple[str, str], ...]:
    """The stages that are open now, each with its subject, the outermost first; none unless somebody collects."""
    return () if _clock is None else tuple(_clock.open)


class _Clock:
    """Charges the time that has passed to the innermost stage."""

    def __init__(self, times: Times) -> None:
        self.open = [(START, "")]
        self._times = times.seconds
        self._since = 0.0  # the CPU time of a process counts from its start
        self.charge()
        self.open = [(REST, "")]

    def charge(self) -> None:
        now = time.process_time()
        place = self.open[-1]
        self._times[place] = self._times.get(place, 0.0) + now - self._since
        self._since = now


class _Stage:
    def __init__(self, clock: _Clock, place: tuple[str, str]) -> None:
        self._clock = clock
        self._place = place

    def __enter__(self) -> None:
        self._clock.charge()
        self._clock.open.append(self._place)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._clock.charge()
        self._clock.open.pop()


_OFF = nullcontext()
_clock: _Clock | None = None
