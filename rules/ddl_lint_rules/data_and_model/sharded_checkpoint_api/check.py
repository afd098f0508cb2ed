"""Finds shards that are saved or loaded as if they were whole, and sharded checkpoints that are loaded into nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Alternatives,
    Claim,
    Const,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    Symbol,
    Table,
    Unknown,
    Value,
    called_name,
    contradicts,
    depends_on_rank,
    excludes,
    is_absent,
    match,
    misread,
    module_children,
    named,
    objects,
    objects_under,
    parts,
    parts_of,
    rank_guards,
    read_afterwards,
    used_at,
    with_fix,
    wrapped,
    wrapper_trait,
)
from ddl_lint.rulekit.domain import Model, State
from ddl_lint.rulekit.events import Export, Load, LoadSharded, LoadState, Save, StateDict, WrapModel
from ddl_lint_rules.data_and_model.sharded_checkpoint_api.fix import fix_load, fix_save, no_fix

_FILLS = "Pass the state dict of the model; the call fills it in place."


def check(run: RunView) -> Iterable[Finding]:
    """One finding per file that is written or read."""
    for save in run.events(Save):
        for state, wrap in list(_shards_in(run, save))[:1]:
            evidence = [Evidence("the parameters become shards here", wrap.location)]
            if not save.location.covers(state.location):
                evidence.insert(0, Evidence("the state is taken here", state.location))
            finding = Finding(
                "saves one rank's shards only; `state_dict()` of a sharded model does not gather",
                save.location,
                tuple(evidence),
                help="Gather on all ranks with `get_model_state_dict(...)` and `full_state_dict=True`; save on one.",
            )
            yield with_fix(finding, fix_save, run, save, state)
    for export in run.events(Export):
        wrap = _sharded_before(run, export, export.object)
        is_own = export.operands.get("state", NONE) == NONE
        if wrap is not None and is_own and rank_guards(export.context):
            finding = Finding(
                "saves one rank's shards only; the export of a sharded model does not gather",
                export.location,
                (Evidence("the parameters become shards here", wrap.location),),
                help="Gather with `get_model_state_dict(...)` and `full_state_dict=True` on all ranks; save on one.",
            )
            yield with_fix(finding, no_fix, run, ("cannot tell which of several states is meant"))
    for load in run.events(LoadState):
        wrap = _sharded_before(run, load, load.target)
        if wrap is not None and _is_whole(run, load):
            finding = Finding(
                "loads whole tensors into a sharded model, whose parameters are DTensors",
                load.location,
                (Evidence("the parameters become shards here", wrap.location),),
                help="Load it with `set_model_state_dict(...)` and `full_state_dict=True`, on all ranks.",
                consequence="crash",
            )
            yield with_fix(finding, fix_load, run, load)
    for load in run.events(LoadSharded):
        if load.object == Table(()) and is_absent(load, "planner"):
            message = Claim(
                "loads nothing; an empty state dict asks for nothing, and the call returns None", "wrong-result"
            )
            yield with_fix(
                Finding(message, load.location, help=_FILLS), no_fix, run, ("cannot tell what should be loaded")
            )
    for load, use in misread(run, LoadSharded):
        if load.object != Table(()) and use.shown is None:
            call = named("load", called_name, run, load.location)
            finding = Finding(
                f"uses the result of `{call}`, which fills the state that it gets and returns None",
                load.location,
                used_at(load, use),
                help="Read the state dict that was passed to the call afterwards.",
                consequence="crash",
            )
            yield with_fix(finding, read_afterwards, run, load)


def _shards_in(run: RunView, save: Save) -> Iterator[tuple[Object, Event]]:
    """The states in what is saved of which this process has a part, each with what made it so."""
    if not (rank_guards(save.context) or _is_seen(save.path)):
        return
    for state in objects_under(save.object, save.context):
        options = state.given.get("options")
        if (
            state.kind == "state_dict"
            and options in (None, NONE)
            and not run.heap.is_escaped(state)
            and not State(state).is_loaded
        ):
            wrap = _sharded_before(run, save, State(state).model)
            is_left = wrap is not None and state in objects_under(save.object, wrap.context)
            if wrap is not None and is_left and not _is_asked_before(run, save, state):
                yield state, wrap
            elif wrap is None and (asked := _asked_for_shards(run, state)) is not None:
                yield state, asked


def _asked_for_shards(run: RunView, state: Object) -> Event | None:
    """What has wrapped a model of which the program takes the state in a `with` that asks for shards."""
    owners = objects(State(state).model)
    taken = next((event for event in run.events(StateDict) if event.result is state), None)
    for node in taken.context.chain() if taken is not None else ():
        for asked in objects(node.value, "context") if node.kind == "with" else ():
            if asked.given.get("state_dict_type") in _SHARDS and asked.given.get("module") in owners:
                return next((wrap for wrap in run.events(WrapModel) if wrap.result in owners), None)
    return None


_SHARDS = (Const("local"), Const("sharded"))


def _is_asked_before(run: RunView, save: Event, state: Object) -> bool:
    """Whether the program has looked at whose state it is before it takes it: a sharded model may have gone another
    way, `if isinstance(model, FSDPModule): return gathered(model)`.
    """
    owners = objects(State(state).model)
    return any(
        _asks_for_wrapper(run, condition) and any(part in owners for part in parts(condition))
        for choice in parts(save.operands.get("object", NONE))
        if isinstance(choice, Alternatives)
        for labels, option in choice.options
        if option == state
        for condition, _ in labels
    )


def _asks_for_wrapper(run: RunView, condition: Value) -> bool:
    asked = (match.inspection(part) for part in parts(condition))
    return any(pair is not None and any(_is_wrapper(run, each) for each in parts(pair[1])) for pair in asked)


def _is_wrapper(run: RunView, name: Value) -> bool:
    """Whether a value names a class whose objects are wrapped models."""
    made = run.api.class_(name.name) if isinstance(name, Symbol) else None
    return made is not None and "wrapper" in made.traits


def _sharded_before(run: RunView, event: Event, model: Value | None) -> WrapModel | None:
    """What has made a model keep shards, where its own state names those only."""
    for owner in objects(model, "model"):
        if Model(owner).wrapper not in (None, "fsdp2"):
            continue
        own = parts_of(owner, module_children(run))
        wraps = [
            wrap
            for wrap in run.events(WrapModel)
            if wrap.order < event.order
            and wrapper_trait(wrap, "sharded_state")
            and any(part in own for part in wrapped(wrap))
            and not excludes(wrap.context, event.context)
            and not contradicts(wrap.context, event.context)
            and owner in objects_under(model, wrap.context, event.context)
        ]
        if wraps:
            return next((wrap for wrap in wraps if owner in wrapped(wrap)), wraps[0])
    return None


def _is_whole(run: RunView, load: LoadState) -> bool:
    """Whether what is loaded comes from a file that all ranks read, as it is."""
    if load.divides is not None:
        return False
    state = match.container_of(load.state)
    if not isinstance(state, Object) or not State(state).is_loaded or run.heap.is_escaped(state):
        return False
    files = [event for event in run.events(Load) if event.result is state]
    return bool(files) and all(_is_seen(event.path) for event in files)


def _is_seen(path: Value | None) -> bool:
    """Whether the name of a file is surely the same on all ranks."""
    return path is not None and not depends_on_rank(path) and not any(isinstance(p, Unknown) for p in parts(path))
