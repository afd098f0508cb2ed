"""Finds schedules with a learning rate of their own beside an optimizer whose rate is scaled by the job's size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Evidence, Finding, Object, RunView, objects
from ddl_lint.rulekit.domain import Count, Optimizer, quantity
from ddl_lint.rulekit.events import BuildOptimizer, BuildScheduler


def check(run: RunView) -> Iterable[Finding]:
    """One finding per schedule."""
    rates = {event.result: event for event in run.events(BuildOptimizer)}
    for built in run.events(BuildScheduler):
        made = objects(built.result)
        if len(made) != 1 or not isinstance(made[0].traits.get("sets_rate"), str):
            continue
        own = made[0].given.get(made[0].traits["sets_rate"])
        scaled = [
            rates[each]
            for each in _optimizers(made[0])
            if each in rates and quantity(rates[each].learning_rate).scales_with_processes()
        ]
        if scaled and quantity(own).is_surely(Count.LITERAL, Count.OPTION):
            yield Finding(
                f"`{made[0].traits['sets_rate']}` replaces the scaled learning rate, and is not scaled itself",
                built.location,
                (Evidence("the rate is multiplied by the number of processes here", scaled[0].location),),
            )


def _optimizers(scheduler: Object) -> Iterator[Object]:
    """The optimizers of a scheduler, out of their wrappers."""
    for optimizer in objects(scheduler.given.get("optimizer")):
        yield optimizer
        yield from objects(Optimizer(optimizer).inner)
