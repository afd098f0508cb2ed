"""Finds strategies for TPUs that come before their system, or after other work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Finding,
    RunView,
    Severity,
    batched_in,
    catches,
    follows,
    is_constant,
    objects,
    strategies,
)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per strategy, and per data set whose batches differ in size."""
    for made in strategies(run, "on_tpu"):
        if catches(made.context, "ValueError", "Exception", "BaseException"):
            continue
        systems = [event for event in run.providers("tpu_system") if event.order < made.order]
        if not systems and not run.is_script:
            continue  # whoever calls this may have initialized it
        if not systems and not run.surroundings.launch.may_set("TPU_NAME"):
            message = "Crash: the TPU system is not initialized before this strategy is made"
            yield Finding(message, made.location)
            continue
        first = systems[0] if systems else made
        early = next((each for each in run.events("build_dataset") if follows(each, first)), None)
        if early is not None:
            message = "Crash: what was made before the TPU system is initialized is lost with it"
            yield Finding(message, early.location, (Evidence("it is initialized here", first.location),))
        yield from _uneven(run, made)


def _uneven(run: RunView, made: Event) -> Iterator[Finding]:
    """Training data whose last batch is smaller: TPUs compile for one size."""
    for event in run.events("fit", "distribute_data"):
        for used in objects(event.operands.get("data"), "iterable_dataset") if event.order > made.order else ():
            batched = batched_in(used)
            if batched is None or not is_constant(batched.given.get("drop_last", Const(None)), False, None):
                continue
            if any("fixed_length" in each.given for each in (used, batched)):
                continue
            message = "Crash: the last batch is smaller, and TPUs compile for batches of one size"
            evidence = (Evidence("the data is used here", event.location),)
            yield Finding(message, batched.location, evidence, severity=Severity.WARNING)
