"""Whether a call needs all ranks: what the models say of it, and what is known of the objects that it is made on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from ddl_lint.analysis.queries.backends import known_backend
from ddl_lint.analysis.queries.control_context import is_replicated
from ddl_lint.analysis.queries.gradients import forwards_behind
from ddl_lint.analysis.queries.launching import is_told_ranks
from ddl_lint.analysis.queries.modules import module_children, parts_of
from ddl_lint.analysis.queries.strategies import is_made_outside, is_set_for_all, made_in
from ddl_lint.analysis.values.certainty import always, is_default_group, objects, sometimes
from ddl_lint.analysis.values.conditions import truth_of
from ddl_lint.analysis.values.contexts import in_process, rank_guards, records_gradients, undecided
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.analysis.values.visitors import contents
from ddl_lint.analysis.view import RunView
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.program.event_types import (
    Compile,
    Fit,
    Forward,
    InitProcessGroup,
    ReadEnvironment,
    RegisterBuffer,
    SetEnvironment,
    SkipSynchronization,
    StartProcesses,
    WrapModel,
)
from ddl_lint.program.events import CollectiveWhen
from ddl_lint.program.trace import Event
from ddl_lint.program.values import NONE, Const, Items, Object, Symbol, Unknown, Value

Certainty: TypeAlias = Literal["surely", "perhaps"]


def is_together(event: Event, run: RunView, api: ApiIndex) -> Certainty | None:
    """Whether all ranks of the job must make this call together; None where that is not known."""
    if event.collective_when is None or _is_local(event) or _runs_alone(event, run) or _is_not_yet(event, run, api):
        return None
    if _is_of_other_launcher(event, run, api):
        return None
    if event.collective_when is CollectiveWhen.GROUP_EXISTS:
        return _certain(not run.is_script or any(map(_may_make_group, run.run.events)))
    if event.collective_when is CollectiveWhen.HAS_BUFFERS:
        return _certain(is_sharded(event, run)) or _has_buffers(event, run)
    if event.collective_when is CollectiveWhen.SHARDED:
        return _certain(is_sharded(event, run))
    if event.collective_when is CollectiveWhen.WRAPS_MODEL:
        return _is_given_model(event, run)
    if event.collective_when is CollectiveWhen.SYNCHRONIZED:
        return _certain(_is_synchronized(event, run, api))
    if event.collective_when is CollectiveWhen.MULTI_WORKER_STRATEGY:
        is_within = spans_processes(run) and not _is_of_no_strategy(event, run)
        return _certain(is_within or _trains_together(event, run))
    if event.collective_when is CollectiveWhen.SAVES_METRICS:
        return _certain(spans_processes(run) and _keeps_statistics(event, run))
    return "surely"


def _certain(known: bool) -> Certainty | None:
    return "surely" if known else None


def _may_make_group(event: Event) -> bool:
    """Whether a process group is there afterwards, or that is not known."""
    return "process_group" in event.provides or event.kind in ("fit", "prepare", "start_processes", "unfollowed")


# --- who takes part ---------------------------------------------------------------------------------------------------


def _is_local(event: Event) -> bool:
    """Whether the call is about a sub-group, or about this process only."""
    if truth_of(event.operands.get("alone", NONE)) is not False:
        return True
    if event.kind in ("new_group", "init_process_group"):
        return truth_of(event.operands.get("local_synchronization", NONE)) is not False
    return "group" in event.unseen or not is_default_group(event.operands.get("group"))


def _is_not_yet(event: Event, run: RunView, api: ApiIndex) -> bool:
    """Whether the project pins a version of the library in which the call does not need the other ranks."""
    model = api.function(event.api) if event.api else None
    versions = run.versions_of(run.run.path)
    return model is not None and any(
        versions.surely_before(package, since) for package, since in model.collective_since.items()
    )


def _is_of_other_launcher(event: Event, run: RunView, api: ApiIndex) -> bool:
    """Whether a library that counts its processes itself has one only, since a launcher of another kind started it."""
    backend = known_backend(event.operands.get("backend", NONE), api)
    return event.kind == "collective" and backend is not None and backend.assigns_ranks and is_told_ranks(run)


def _runs_alone(event: Event, run: RunView) -> bool:
    """Whether the process of the call was started as the only one."""
    process = in_process(event)
    return process is not None and any(
        start.location == process.location and start.operands.get("processes") == Const(1)
        for start in run.events(StartProcesses)
    )


def spans_processes(run: RunView) -> bool:
    """Whether the program trains under a strategy that spans processes."""
    is_alone = _is_told_by_others(run)
    return any(
        run.traits(made).get("multi_process") and not (is_alone and made.given.get("cluster_resolver", NONE) == NONE)
        for event in run.all_events
        for value in (event.result, *event.operands.values())
        for made in objects(value, "strategy")
    )


def _is_told_by_others(run: RunView) -> bool:
    """Whether another framework makes a group of the processes, and a strategy is not given its workers: it finds
    one, its own process.
    """
    listing = {Const(name) for name in run.api.conventions.names.get("cluster_variables", ())}
    told = (event.operands.get("variable") for event in run.events(SetEnvironment, ReadEnvironment))
    return run.has(InitProcessGroup) and listing.isdisjoint(told)


# --- what it is done with ---------------------------------------------------------------------------------------------


def _has_buffers(event: Event, run: RunView) -> Certainty | None:
    """Whether a wrapper's forward broadcasts buffers: its model has some, that is not switched off, and they may have
    changed since the last forward.
    """
    if _follows_evaluation(event, run):
        return None
    found: set[Certainty | None] = {
        broadcasts_buffers(wrapper, run) for wrapper in objects(event.operands.get("model"), "model")
    }
    if len(found) == 1:
        return found.pop()
    return "perhaps" if found else None


def _follows_evaluation(event: Event, run: RunView) -> bool:
    """Whether the model computes without gradients as all ranks did the last time: then the wrapper, which has sent the
    buffers at the first of such forwards, sends them no more.
    """
    if records_gradients(event.context):
        return False
    models = set(objects(event.operands.get("model"), "model"))
    before = [
        other
        for other in run.events(Forward)
        if other.order < event.order and not models.isdisjoint(objects(other.operands.get("model"), "model"))
    ]
    if not before or before[-1].location == event.location or records_gradients(before[-1].context):
        return False
    around = set(event.context.chain())
    return not rank_guards(before[-1].context) and around.issuperset(undecided(before[-1]))


_BROADCASTS = ("broadcast_buffers", "forward_sync_buffers")


def broadcasts_buffers(wrapper: Object, run: RunView) -> Certainty | None:
    """Whether a wrapper sends buffers in each forward: its model has some, and no code switches that off."""
    inside = wrapper.given.get("module", wrapper.given.get("model", NONE))
    options = [wrapper, *(part for part in _within(wrapper.given.get("trainer", NONE)) if isinstance(part, Object))]
    if any(made.given.get(name) == Const(False) for made in options for name in _BROADCASTS):
        return None
    registered = {
        made: any(True for _ in undecided(event))
        for event in run.events(RegisterBuffer)
        for made in objects(event.operands.get("module"))
    }
    unseen = False
    for part in contents(inside, run.heap):
        if isinstance(part, Object) and part.kind == "model":
            if part.traits.get("running_stats") or part.traits.get("buffers") or registered.get(part) is False:
                return "surely"
            unseen = unseen or _is_unseen(part) or part in registered
        elif isinstance(part, Unknown) or (isinstance(part, Items) and part.open and not part.items):
            unseen = True
    return "perhaps" if unseen else None


def _is_unseen(model: Object) -> bool:
    """Whether nothing is known of what a model is made of."""
    return bool(model.traits.get("unseen_parts")) or (model.definition is None and model.api is None)


def _within(value: Value) -> Iterator[Value]:
    """A value, its elements, and what its objects were given."""
    for option in alternatives(value):
        yield option
        if isinstance(option, Items):
            for item in option.items:
                yield from _within(item)
        elif isinstance(option, Object):
            for name in option.given:
                if not name.startswith("attribute:"):
                    yield from _within(option.given[name])


_SUBJECTS = ("of", "model", "object", "target", "optimizer", "module", "parameters")


def is_sharded(event: Event, run: RunView) -> bool:
    """Whether what a call is made on, or given, holds a part of the state on each rank."""
    return any(
        always(event.operands[role], lambda option: _holds_a_part(option, event, run))
        for role in _SUBJECTS
        if role in event.operands
    )


def _holds_a_part(value: Value, event: Event, run: RunView) -> bool:
    if isinstance(value, Items):
        return any(_holds_a_part(item, event, run) for item in value.items)
    if isinstance(value, Symbol):
        value = value.receiver or NONE  # `net.head.weight`
    if not isinstance(value, Object):
        return False
    if run.traits(value).get("sharded"):
        return True
    divided = _sharded_before(event, run)
    return value in divided or (value.kind == "parameter" and value.given.get("of") in divided)


def _sharded_before(event: Event, run: RunView) -> set[Object]:
    """What was sharded in place before an event, with all its parts."""
    wraps = [
        wrap
        for wrap in run.events(WrapModel)
        if run.traits(wrap).get("sharded") and wrap.order < event.order and not any(True for _ in undecided(wrap))
    ]
    if not wraps:
        return set()
    held = module_children(run)
    return {part for wrap in wraps for made in objects(wrap.operands.get("model")) for part in parts_of(made, held)}


def _is_given_model(event: Event, run: RunView) -> Certainty | None:
    """Whether a model is among what is prepared: of loaders, optimizers and schedulers no other process hears. What is
    not known may be one where its optimizer comes along.
    """
    given = list(contents(event.operands.get("object", NONE), run.heap))
    kinds = {part.kind for part in given if isinstance(part, Object)}
    if "model" in kinds:
        return "surely"
    return "perhaps" if "optimizer" in kinds and any(isinstance(part, Unknown) for part in given) else None


# --- who averages -----------------------------------------------------------------------------------------------------


def _is_synchronized(event: Event, run: RunView, api: ApiIndex) -> bool:
    """Whether gradients are averaged here: the optimizer does it, or the loss comes from a replicated model."""
    optimizers = objects(event.operands.get("optimizer"))
    if optimizers:
        return all(made.traits.get("synchronizes_gradients") for made in optimizers)
    if _is_held_back(event, run):
        return False
    if any(
        is_replicated(forward.operands.get("model"), run, api)
        for forward in forwards_behind(run, event.operands.get("loss"), event)
    ):
        return True  # wherever the program computed the loss
    models: Value | None = None
    for forward in run.events(Forward):
        if forward.order > event.order:
            break
        if forward.function is event.function and not _is_loss(forward.operands.get("model"), api):
            models = forward.operands.get("model")
    return is_replicated(models, run, api)


def _is_loss(model: Value | None, api: ApiIndex) -> bool:
    """Whether a module reduces what others have computed, so that it has no gradients of its own: a loss."""
    known = [api.class_(made.api) for made in objects(model, "model") if made.api is not None]
    parameters = [each.constructor.parameters or () for each in known if each is not None]
    return bool(parameters) and all(any(part.name == "reduction" for part in each) for each in parameters)


def _is_held_back(event: Event, run: RunView) -> bool:
    """Whether the averaging is put off: `with model.no_sync()`."""
    held = {made for skip in run.events(SkipSynchronization) for made in objects(skip.result)}
    return any(
        node.kind == "with" and sometimes(node.value, lambda option: option in held) for node in event.context.chain()
    )


def _is_of_no_strategy(event: Event, run: RunView) -> bool:
    """Whether the model of a call is surely made in no scope, in a program that makes others in one: each process has
    it for itself.
    """
    models = objects(event.operands.get("model"), "model")
    if not models or not all(map(is_made_outside, models)) or is_set_for_all(run):
        return False
    trained = (objects(each.operands.get("model"), "model") for each in run.events(Fit))
    return any(any(made_in(model)) for those in trained for model in those)


def _trains_together(event: Event, run: RunView) -> bool:
    """Whether a model is trained with an optimizer that averages the gradients over the ranks."""
    if event.kind != "fit":
        return False
    models = objects(event.operands.get("model"), "model")
    told = [each for each in run.events(Compile) if each.order < event.order]
    return bool(models) and all(
        model.traits.get("synchronizes_gradients") or always(_last_told(model, told), _averages) for model in models
    )


def _averages(optimizer: Value) -> bool:
    return isinstance(optimizer, Object) and bool(optimizer.traits.get("synchronizes_gradients"))


def _last_told(model: Object, told: Iterable[Event]) -> Value | None:
    mine = [event.operands.get("optimizer") for event in told if model in objects(event.operands.get("model"))]
    return mine[-1] if mine else None


def _keeps_statistics(event: Event, run: RunView) -> bool:
    """Whether batch normalization or a metric is surely among what is saved."""
    held = module_children(run)
    seen: set[Value] = set()
    waiting: list[Value] = [event.operands.get("object", NONE)]
    while waiting:
        for part in contents(waiting.pop(), run.heap):
            if isinstance(part, Object) and part not in seen:
                seen.add(part)
                if part.traits.get("running_stats"):
                    return True
                waiting.extend(held.get(part, ()))
    return False
