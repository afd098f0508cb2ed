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
            message = "Crash: the TPU system is not initialized before this strategy is created"
            help = "Call `tf.tpu.experimental.initialize_tpu_system(resolver)` before."
            yield Finding(message, made.location, help=help)
            continue
        first = systems[0] if systems else made
        early = next((each for each in run.events("build_dataset") if follows(each, first)), None)
        if early is not None:
            message = "Crash: this dataset is created before the TPU system is initialized, which resets the devices"
            yield Finding(message, early.location, (Evidence("the TPU system is initialized here", first.location),))
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
            message = "Crash: the last batch may be smaller, and a TPU program is compiled for one batch size"
            evidence = (Evidence("the data is used here", event.location),)
            help = "Pass `drop_remainder=True` to `batch`."
            yield Finding(message, batched.location, evidence, severity=Severity.WARNING, help=help)
