"""What one process does when the undecided conditions turn out in one way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ddl_lint.analysis.ranks.simulation import Simulation
from ddl_lint.analysis.ranks.timeline import Stretch, TimelineStep
from ddl_lint.analysis.values.conditions import Choice


@dataclass(eq=False)
class Execution:
    """The steps that a process reaches, in order.

    `missed` tells of a step that is not reached which early exit came before it. `aborted` when the process dies with
    an error: nothing can be said of a job in which that happens.
    """

    steps: list[TimelineStep] = field(default_factory=list[TimelineStep])
    missed: dict[TimelineStep, TimelineStep] = field(default_factory=dict[TimelineStep, TimelineStep])
    aborted: bool = False


def execute(simulation: Simulation, choice: Choice, sure: Choice) -> Execution:
    """What the process of a simulation does; an error ends it where `sure` alone leads to that."""
    recorder = _Recorder(simulation, choice, sure)
    try:
        simulation.walk(recorder)
    except _Aborted:
        recorder.execution.aborted = True
    return recorder.execution


class _Aborted(Exception):
    """The process dies with an error."""


class _Recorder:
    def __init__(self, simulation: Simulation, choice: Choice, sure: Choice) -> None:
        self._simulation = simulation
        self._choice = choice
        self._sure = sure
        self.execution = Execution()

    def iterations(self, stretch: Stretch) -> Iterable[object]:
        """One iteration represents all of a loop."""
        return (None,) if stretch.node is None or self._simulation.holds(stretch.node, self._choice) else ()

    def reach(self, step: TimelineStep) -> None:
        """A call that the process makes."""
        self.execution.steps.append(step)

    def leave(self, step: TimelineStep) -> bool:
        """An early exit; that from a loop with collectives is a step."""
        assert step.exit is not None
        if step.exit.kind == "raise":
            if self._simulation.depends_on_rank(step.context) and self._is_sure(step):
                raise _Aborted
            return False
        if step.exit.kind == "exit":
            return True
        if step.exit.leaves is None or self._simulation.only_waits(step, self.execution.steps):
            return False
        if step.ends is not None:
            self.execution.steps.append(step)
        return True

    def miss(self, part: TimelineStep | Stretch, early_exit: TimelineStep) -> None:
        """What the process would come to, had it not left."""
        if isinstance(part, TimelineStep):
            self.execution.missed[part] = early_exit
        else:
            for _ in self.iterations(part):
                for inner in part.parts:
                    self.miss(inner, early_exit)

    def _is_sure(self, step: TimelineStep) -> bool:
        return all(self._simulation.holds(node, self._sure) for node in step.context.chain())
