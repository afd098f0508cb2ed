"""Finds files that are to hold a model whose parameters are whole for a moment only, and hold nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Const,
    Engine,
    Event,
    Evidence,
    Finding,
    RunView,
    Table,
    Tag,
    TagKind,
    Value,
    branches,
    engine_at,
    engines,
    is_absent,
    is_call,
    is_constant,
    is_whole_here,
    match,
    may_drive,
    named,
    objects,
    objects_under,
    parts,
    tags_of,
)
from ddl_lint.rulekit.domain import State
from ddl_lint.rulekit.events import Export, Save, SaveSharded, StateDict

_SHARDING = Const(3)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per file that is written."""
    for engine in engines(run):
        if engine.has("sharded"):
            for save, message in (*_states(run, engine), *_withheld(run, engine)):
                evidence = Evidence("ZeRO-3 partitions the parameters here", engine.wrap.location)
                yield Finding(message, save.location, (evidence,), help=_advice(run, engine, save))


def _advice(run: RunView, engine: Engine, save: Event) -> str:
    name = named("engine", engine_at, run, engine, save)
    allow = "Set `stage3_gather_16bit_weights_on_model_save` to true in the configuration"
    if save.kind == "save_sharded":
        return f"{allow}."
    return f"{allow}, and call `{name}.save_16bit_model(directory)` on all ranks."


def _states(run: RunView, engine: Engine) -> Iterator[tuple[Export | Save, str]]:
    """Files that get the state of the model as a rank sees it: tensors without elements."""
    taken = {event.result: event for event in run.events(StateDict)}
    for save in run.events(Save, Export):
        if not may_drive(run, engine, save) or is_whole_here(save.context) or _asks_for_stage(save):
            continue
        content = save.object if is_absent(save, "state") else save.operands.get("state")
        states = [
            each
            for each in objects_under(content, save.context)
            if (each.kind == "state_dict" and engine.owns(State(each).model) and not run.heap.is_escaped(each))
            or (save.kind == "export" and each.kind == "model" and engine.owns(each))
        ]
        origins = [*(taken.get(state) for state in states), *_copied(run, engine, content)]
        if any(each is None or (may_drive(run, engine, each) and not is_whole_here(each.context)) for each in origins):
            yield save, "saves empty tensors of shape (0,), because ZeRO-3 parameters are not gathered here"


def _asks_for_stage(event: Event) -> bool:
    """Whether a condition around the call compares something with the stage that shards parameters."""
    return any(_SHARDING in (match.compared(node.value) or ()) for node in branches(event.context))


def _copied(run: RunView, engine: Engine, content: Value | None) -> Iterator[StateDict]:
    """Where the states were taken whose tensors are put one by one into a dict: `{k: v.cpu() for k, v in ...}`."""
    for table in filter(lambda part: isinstance(part, Table), parts(content or NONE)):
        tags = tags_of(table)
        for event in run.events(StateDict):
            if Tag.at(TagKind.STATE, event.location) in tags and any(map(engine.owns, objects(event.of))):
                yield event


def _withheld(run: RunView, engine: Engine) -> Iterator[tuple[SaveSharded, str]]:
    if engine.has("withholds_state"):
        for save in run.events(SaveSharded):
            if is_call(engine, save) and is_constant(save.whole, True):
                yield (
                    save,
                    "writes nothing, because the configuration does not let the engine gather the parameters",
                )
