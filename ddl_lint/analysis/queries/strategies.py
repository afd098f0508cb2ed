"""Questions about strategies, which replicate what is made in their scopes, and about what is made there."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.analysis.queries.control_context import (
    catches,
    is_certain,
    is_version_guarded,
)
from ddl_lint.analysis.values.certainty import is_constant, objects
from ddl_lint.analysis.values.contexts import branches, excludes, is_unread
from ddl_lint.analysis.values.operators import applied
from ddl_lint.analysis.values.visitors import parts
from ddl_lint.analysis.view import RunView
from ddl_lint.jobs.known import facts
from ddl_lint.program.event_types import Collective, Delegate, OpenScope, SetEnvironment, WrapModel
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import NONE, Apply, Const, DeviceCount, Items, Object, Value


def strategies(run: RunView, trait: str = "replicates") -> list[Delegate]:
    """Where strategies with a trait are made; of a choice between several kinds, none is certain."""
    return [event for event in run.events(Delegate) if _is_strategy(event.result, trait)]


def _is_strategy(value: Value | None, trait: str) -> bool:
    return isinstance(value, Object) and value.kind == "strategy" and bool(value.traits.get(trait))


def scopes(context: Context) -> Iterator[Object]:
    """The strategies in whose scopes code runs; not those that are set for a whole program."""
    for node in context.chain():
        if node.kind == "with" and isinstance(node.value, Object):
            yield from objects(node.value.given.get("strategy"), "strategy")


def may_be_in_scope(context: Context) -> bool:
    """Whether code may run in the scope of a strategy: in one, in an unknown context, called by unknown code, or in a
    block whose first line cannot be read.
    """
    return any(True for _ in scopes(context)) or any(
        is_unread(node)
        or (node.kind == "with" and not isinstance(node.value, Object))
        or (node.kind == "with" and isinstance(node.value, Object) and node.value.api is None)
        or node.kind == "callback"
        for node in context.chain()
    )


def is_made_outside(made: Object) -> bool:
    """Whether an object was surely made in the scope of no strategy."""
    contexts = made.given.get("made_in", NONE)
    around = contexts.items if isinstance(contexts, Items) else ()
    return not any(not isinstance(each, Object) or each.api is None or "strategy" in each.given for each in around)


def made_in(model: Object) -> Iterator[Object]:
    """The strategies in whose scopes a model was made."""
    for context in parts(model.given["made_in"]) if "made_in" in model.given else ():
        if isinstance(context, Object):
            yield from objects(context.given.get("strategy"), "strategy")


def is_set_for_all(run: RunView) -> bool:
    """Whether a strategy is set as that of the whole program."""
    return any(event.result in (None, NONE) for event in run.events(OpenScope))


def replica_call(run: RunView, event: Event) -> Collective | None:
    """The call of a strategy that runs the function in which an event happens on each replica."""
    places = {node.location for node in event.context.chain() if node.kind == "callback"}
    return next((call for call in replica_calls(run) if call.location in places), None)


def replica_calls(run: RunView) -> list[Collective]:
    """Where strategies run a function on each replica, of those that have several."""
    return [
        event
        for event in run.events(Collective)
        if any(made.traits.get("replicates") for made in objects(event.strategy, "strategy"))
        and is_constant(event.operation, "run")
    ]


def follows(first: Event, second: Event) -> bool:
    """Whether one event surely happens before another one, in each run that comes to it."""
    if first.order >= second.order or excludes(first.context, second.context):
        return False
    around = set(second.context.chain())
    before = set(first.context.chain())
    if any(node.kind == "handler" and node not in before for node in around):
        return False  # what failed may have been the first
    return is_certain(first) or all(
        node in around or node.kind not in ("branch", "handler", "callback", "loop") for node in first.context.chain()
    )


def data_sources(made: Object) -> Iterator[Object]:
    """A data set, and those that it is made of, from the last to the first."""
    found: list[Object] = []
    while made not in found:
        yield made
        found.append(made)
        made = next(iter(objects(made.given.get("source"), "iterable_dataset")), made)


def batched_in(made: Object) -> Object | None:
    """What puts the elements of a data set into batches; None where that is unknown."""
    return next((each for each in data_sources(made) if "batch_size" in each.given), None)


_LEGACY = "TF_USE_LEGACY_KERAS"


def is_for_one_replica(event: Event) -> bool:
    """Whether something happens only with one replica, where `strategy.run` returns the values as they are."""
    return any(
        node.value is not None
        and _with_replicas(node.value, 1) == Const(node.arm)
        and _with_replicas(node.value, 2) == Const(not node.arm)
        for node in branches(event.context)
    )


def _with_replicas(value: Value, count: int) -> Value:
    if isinstance(value, DeviceCount):
        return Const(count)
    if isinstance(value, Apply):
        return applied(value, [_with_replicas(operand, count) for operand in value.operands])
    return value


def is_keras_3(run: RunView, path: str) -> bool:
    """Whether a file surely runs with Keras 3: it, or a TensorFlow that has it, is pinned, and nothing asks for the old
    one.
    """
    versions = run.versions_of(path)
    is_pinned = versions.surely_from("keras", "3.0") or (
        versions.surely_from("tensorflow", "2.16") and not versions.surely_before("keras", "3.0")
    )
    return is_pinned and not (_asks_for_legacy(run) or versions.is_known("tf-keras") or run.may_set(_LEGACY))


def is_keras_2(run: RunView, path: str) -> bool:
    """Whether a file surely runs with Keras 2: it, or a TensorFlow that has no other, is pinned, it is asked for, or
    the program calls what no release with Keras 3 has.
    """
    versions = run.versions_of(path)
    return (
        versions.surely_before("keras", "3.0")
        or versions.surely_before("tensorflow", "2.16")
        or _asks_for_legacy(run)
        or _calls_removed(run)
    )


def _asks_for_legacy(run: RunView) -> bool:
    return any(is_constant(event.variable, _LEGACY) for event in run.events(SetEnvironment))


def _calls_removed(run: RunView) -> bool:
    """Whether a run calls what was removed before Keras 3, and is not prepared for that."""
    removed = facts("tensorflow")["removed"]
    return any(
        event.api in removed
        and not is_version_guarded(event)
        and not catches(event.context, "AttributeError", "ImportError", "Exception", "BaseException")
        for event in run.events(Collective, WrapModel)
    )
