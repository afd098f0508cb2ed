"""Finds strategies for TPUs that come before their system, or after other work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Const,
    Event,
    Evidence,
    Finding,
    RunView,
    Setting,
    Severity,
    Value,
    batched_in,
    catches,
    data_sources,
    follows,
    is_constant,
    objects,
    reached_from,
    strategies,
    with_fix,
)
from ddl_lint.rulekit.events import BuildDataset, DistributeData, Fit
from ddl_lint_rules.communication_setup.tf_tpu_setup.fix import drop_remainder, initialize, make_later


def check(run: RunView) -> Iterable[Finding]:
    """One finding per strategy, and per data set whose batches differ in size."""
    for made in strategies(run, "on_tpu"):
        if catches(made.context, "ValueError", "Exception", "BaseException"):
            continue
        systems = [event for event in run.providers("tpu_system") if event.order < made.order]
        if not systems and not run.is_script:
            continue  # whoever calls this may have initialized it
        if not systems and not run.may_set("TPU_NAME"):
            message = "the TPU system is not initialized before this strategy is created"
            advice = "Call `tf.tpu.experimental.initialize_tpu_system(resolver)` before."
            yield with_fix(Finding(message, made.location, help=advice), initialize, run, made)
            continue
        first = systems[0] if systems else made
        early = next((each for each in run.events(BuildDataset) if follows(each, first)), None)
        if early is not None:
            message = "this dataset is created before the TPU system is initialized, which resets the devices"
            place = reached_from(early, first)
            own = (Evidence("it is created here", early.location),) if place != early.location else ()
            finding = Finding(message, place, (*own, Evidence("the TPU system is initialized here", first.location)))
            yield with_fix(finding, make_later, run, early, made)
        yield from _unconnected(run, made)
        yield from _uneven(run, made)
        yield from _generated(run, made)


def _unconnected(run: RunView, made: Event) -> Iterator[Finding]:
    """A system with a name that no code has connected to."""
    if not run.is_script or run.provides("tpu_connection"):
        return
    for strategy in objects(made.result, "strategy"):
        for resolver in objects(strategy.given.get("tpu_cluster_resolver")):
            if _is_elsewhere(resolver.given.get("tpu", Const(None))):
                message = "nothing connects to the TPU system: `experimental_connect_to_cluster(resolver)` is missing"
                evidence = (Evidence("the system is named here", resolver.location),)
                yield Finding(message, made.location, evidence, unfixable="where to connect is for you to say")


def _is_elsewhere(name: Value) -> bool:
    """Whether a name is that of a system on other machines."""
    if isinstance(name, Setting):
        return name.default is None or _is_elsewhere(name.default)
    return isinstance(name, Const) and name.value not in (None, "", "local")


def _generated(run: RunView, made: Event) -> Iterator[Finding]:
    """Data from a function of this process, which the hosts of a TPU cannot call."""
    for event in run.events(Fit, DistributeData):
        for used in objects(event.data, "iterable_dataset") if event.order > made.order else ():
            root = list(data_sources(used))[-1]
            if "generated" in root.given and run.provides("tpu_connection"):
                message = "the hosts of the TPU cannot run a generator of this process: failed to connect"
                evidence = (Evidence("the data is used here", event.location),)
                reason = "which files the data is to come from is for you to say"
                yield Finding(message, root.location, evidence, severity=Severity.WARNING, unfixable=reason)


def _uneven(run: RunView, made: Event) -> Iterator[Finding]:
    """Training data whose last batch is smaller: TPUs compile for one size."""
    for event in run.events(Fit, DistributeData):
        for used in objects(event.data, "iterable_dataset") if event.order > made.order else ():
            batched = batched_in(used)
            if batched is None or not is_constant(batched.given.get("drop_last", Const(None)), False, None):
                continue
            if any("fixed_length" in each.given for each in (used, batched)):
                continue
            message = "the last batch may be smaller, and a TPU program is compiled for one batch size"
            evidence = (Evidence("the data is used here", event.location),)
            advice = "Pass `drop_remainder=True` to `batch`."
            finding = Finding(message, batched.location, evidence, severity=Severity.WARNING, help=advice)
            yield with_fix(finding, drop_remainder, run, batched)
