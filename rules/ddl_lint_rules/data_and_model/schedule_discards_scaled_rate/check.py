"""Finds schedules with a learning rate of their own beside an optimizer whose rate is scaled by the job's size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Const, Evidence, Finding, Object, RunView, Setting, Value, WorldSize, objects, parts
from ddl_lint.rulekit.events import BuildOptimizer, BuildScheduler


def check(run: RunView) -> Iterable[Finding]:
    """One finding per schedule."""
    rates = {event.result: event for event in run.events(BuildOptimizer)}
    for built in run.events(BuildScheduler):
        made = objects(built.result)
        if len(made) != 1 or not isinstance(made[0].traits.get("sets_rate"), str):
            continue
        own = made[0].given.get(made[0].traits["sets_rate"])
        scaled = [rates[each] for each in _optimizers(made[0]) if each in rates and _is_scaled(rates[each])]
        if own is not None and scaled and _is_number_of_its_own(own):
            yield Finding(
                f"`{made[0].traits['sets_rate']}` replaces the scaled learning rate, and is not scaled itself",
                built.location,
                (Evidence("the rate is multiplied by the number of processes here", scaled[0].location),),
            )


def _optimizers(scheduler: Object) -> Iterator[Object]:
    """The optimizers of a scheduler, out of their wrappers."""
    for optimizer in objects(scheduler.given.get("optimizer")):
        yield optimizer
        yield from objects(optimizer.given.get("of"))


def _is_scaled(built: BuildOptimizer) -> bool:
    rate = built.learning_rate
    return rate is not None and any(isinstance(part, WorldSize) for part in parts(rate))


def _is_number_of_its_own(rate: Value) -> bool:
    """Whether all of a rate is known, and nothing of it depends on the number of processes."""
    return isinstance(rate, (Const, Setting))
