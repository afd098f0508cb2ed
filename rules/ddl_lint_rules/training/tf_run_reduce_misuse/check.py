"""Finds calls of strategies that cannot work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from ddl_lint.rulekit import (
    Const,
    Evidence,
    Finding,
    FunctionRef,
    Location,
    Object,
    RunView,
    Table,
    Unknown,
    Value,
    argument_text,
    called_name,
    is_absent,
    is_constant,
    is_for_one_replica,
    named,
    objects,
    replica_call,
    replica_calls,
    with_fix,
)
from ddl_lint.rulekit.domain import Strategy
from ddl_lint.rulekit.events import Collective, Fit, Iterate, NextElement, UsePerReplica
from ddl_lint_rules.training.tf_run_reduce_misuse.fix import make_tuple, name_axis


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    yield from _reductions(run)
    for call in replica_calls(run):
        if _is_one_value(call.tensor):
            name = named("strategy.run", called_name, run, call.location)
            message = f"`{name}` needs a tuple or list as `args`, but gets a single value"
            given = named("batch", argument_text, run, call, "tensor")
            finding = Finding(message, call.location, help=f"Write `args=({given},)`.")
            yield with_fix(finding, make_tuple, run, call)
        elif _is_lone_element(run, call):
            given = named("batch", argument_text, run, call, "tensor")
            message = f"`args` is `{given}` itself, not a tuple with it, and the function takes one argument"
            finding = Finding(message, call.location, help=f"Write `args=({given},)`.")
            yield with_fix(finding, make_tuple, run, call)
    yield from _computed(run)
    for event in run.events(Fit):
        call = replica_call(run, event)
        if call is not None:
            name = named("fit", called_name, run, event.location)
            message = f"`{name}` trains with all replicas itself, so a replica cannot call it"
            evidence = (Evidence("each replica runs this function", call.location),)
            advice = f"Call `{name}` outside of `strategy.run`."
            yield Finding(
                message,
                event.location,
                evidence,
                help=advice,
                unfixable="where the training is to begin is for you to say",
            )


def _is_lone_element(run: RunView, call: Collective) -> bool:
    """Whether the arguments are an element of a data set as it is, while the function takes one argument."""
    function, given = call.given_function, call.tensor
    if not isinstance(function, FunctionRef) or not isinstance(given, Unknown):
        return False
    parameters = function.function.parameters[1 if function.receiver is not None else 0 :]
    if len(parameters) != 1 or parameters[0].kind != "positional":
        return False
    taken = {event.location for event in run.events(Iterate, NextElement)}
    return any(place in taken for place in _places(given.origin))


def _places(origin: object) -> Iterator[Location]:
    """The places that an unknown value goes back to."""
    if isinstance(origin, Location):
        yield origin
    elif isinstance(origin, tuple):
        for part in cast("tuple[object, ...]", origin):
            yield from _places(part)


def _computed(run: RunView) -> Iterator[Finding]:
    """What is computed of the components of all replicas, as if they were one value."""
    told: set[Object] = set()
    for event in run.events(UsePerReplica):
        for value in objects(event.value):
            driver = objects(value.given.get("strategy"), "strategy")
            if value in told or not any(Strategy(each).replicates for each in driver) or is_for_one_replica(event):
                continue
            told.add(value)
            message = "this is one value per replica, as `strategy.run` returns them, and not a number"
            evidence = (Evidence("each replica returns one here", value.location),)
            reason = "whether the sum or the mean is meant is for you to say"
            advice = 'Reduce it first: `strategy.reduce("SUM", value, axis=None)`.'
            yield Finding(message, event.location, evidence, help=advice, unfixable=reason)


def _reductions(run: RunView) -> Iterator[Finding]:
    for event in run.events(Collective):
        driven = objects(event.strategy, "strategy")
        if driven and is_constant(event.operation, "reduce") and _lacks_axis(event):
            name = named("reduce", called_name, run, event.location)
            advice = (
                "Pass `axis=None` to combine the values of the replicas only, or `axis=0` to reduce their batches too."
            )
            finding = Finding(f"`{name}` needs `axis=`", event.location, help=advice)
            yield with_fix(finding, name_axis, run, event)


def _lacks_axis(event: Collective) -> bool:
    return is_absent(event, "axis") and event.axis is None


def _is_one_value(value: Value | None) -> bool:
    """Whether a value is surely neither a tuple nor a list."""
    if isinstance(value, Const):
        return value.value is not None
    return isinstance(value, Table) or (isinstance(value, Object) and value.kind in ("tensor", "parameter"))
