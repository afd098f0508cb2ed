"""The calls that ranks make together in groups along a dimension of parallelism, beside those that all must make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ddl_lint.analysis.ranks.divergence import Divergence, fault, in_job
from ddl_lint.analysis.ranks.grid import division
from ddl_lint.analysis.ranks.timeline import Timeline, TimelineStep, calls, timeline_of
from ddl_lint.analysis.values.dimensions import dimension_of
from ddl_lint.analysis.view import RunView
from ddl_lint.program.event_types import Collective, InitRpc


def group_divergences(run: RunView) -> list[Divergence]:
    """Where ranks of one group do not meet in a call of this group; the other groups have no part in it."""
    divided = division(run)
    if divided is None or run.has(InitRpc):
        return []
    found: dict[object, Divergence] = {}
    for dimension in dict.fromkeys(step.group for step in _calls_of_groups(run)):
        own = (step for step in _calls_of_groups(run) if step.group == dimension)
        made = timeline_of(run, [*own, *(step for step in calls(run, run.api) if step.opaque)])
        processes = made.job(1, divided.processes)
        grid = processes[0].grid
        for ranks in grid.groups(dimension) if grid is not None and made.ranked() else ():
            for each in in_job(made, [process for process in processes if process.rank in ranks]):
                found.setdefault(fault(each), each)
    return list(found.values())


def with_groups(made: Timeline, found: Sequence[Divergence]) -> tuple[Timeline, list[Divergence]]:
    """A timeline with the calls of groups in it, and what was found in those without them, or of them alone."""
    own = list(_calls_of_groups(made.run))
    if not own:
        return made, list(found)
    whole = timeline_of(made.run, [*(step for step in made.steps if step.event is not None), *own])
    known = {_identity(step): step for step in whole.steps}

    def same(step: TimelineStep) -> TimelineStep:
        return known.get(_identity(step), step)

    def same_if(step: TimelineStep | None) -> TimelineStep | None:
        return None if step is None else same(step)

    return whole, [
        replace(
            each,
            step=same(each.step),
            early_exit=same_if(each.early_exit),
            instead=same_if(each.instead),
            next_iteration=same_if(each.next_iteration),
        )
        for each in found
    ]


def _identity(step: TimelineStep) -> int:
    return id(step.event) if step.event is not None else id(step.exit)


def _calls_of_groups(run: RunView) -> Iterator[TimelineStep]:
    for event in run.events(Collective):
        group = dimension_of(event.operands.get("group"))
        if group is not None and "group" not in event.unseen:
            yield TimelineStep(event.context, event.order, event, group=group)
