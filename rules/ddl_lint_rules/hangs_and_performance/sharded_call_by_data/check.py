"""Finds parts of a sharded model that only those ranks run whose data needs them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ddl_lint.rulekit import (
    DATA,
    NONE,
    SHARE,
    UNIFORM,
    Alternatives,
    Apply,
    Confidence,
    Const,
    Context,
    Event,
    Evidence,
    Fact,
    Finding,
    FunctionRef,
    Object,
    RunView,
    Value,
    code,
    engines,
    excludes,
    has_parameters,
    in_handler,
    module_children,
    objects,
    parts,
    parts_of,
    records_gradients,
    tags_of,
    undecided,
    walk,
)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per condition."""
    units = _units(run)
    if not units:
        return
    last = max((event.order for event in run.events("backward", "optimizer_step")), default=0)
    calls = [event for event in run.events("forward") if objects(event.operands.get("model"))]
    seen: set[object] = set()
    for call in calls:
        unit = next((each for each in objects(call.operands["model"]) if each in units), None)
        whole = _around(run, calls, call, unit, units) if unit is not None else None
        if unit is None or whole is None or in_handler(call):
            continue
        if call.order > last or not records_gradients(call.context):
            continue
        node = next((each for each in undecided(call) if _is_by_data(each, whole)), None)
        if node is None or node.location in seen or any(_is_instead(other, call, unit) for other in calls):
            continue
        seen.add(node.location)
        sure = _may_be_missing(run, node)
        yield Finding(
            "ranks whose batch does not need this part skip it, while the others wait to gather its parameters",
            call.location,
            (
                Evidence("the data of each rank decides here", node.location),
                Evidence("the parameters of this part are sharded here", units[unit].location),
            ),
            confidence=None if sure else Confidence.MEDIUM,
            doubt="" if sure else "the data may be the same kind in every batch",
        )


def _units(run: RunView) -> Mapping[Object, Event]:
    """The modules whose parameters are gathered whenever they are called, each with what has sharded them."""
    held = module_children(run)
    found: dict[Object, Event] = {}
    for wrap in run.events("wrap_model"):
        models = objects(wrap.operands.get("model"), "model")
        wrappers = [made.traits.get("wrapper") for made in objects(wrap.result)]
        in_place = [run.heap.get(model, Fact.WRAPPED) for model in models]
        if "fsdp1" in wrappers or Const("fsdp2") in in_place:
            found.update(dict.fromkeys((*models, *objects(wrap.result)), wrap))
    for engine in engines(run):
        if engine.has("sharded"):
            found.update((part, engine.wrap) for part in engine.parts if has_parameters(part, held))
            found[engine.made] = engine.wrap
    return found


def _around(run: RunView, calls: list[Event], call: Event, unit: Object, units: Mapping[Object, Event]) -> Event | None:
    """The call of a larger sharded module inside of which a part is called."""
    held = module_children(run)
    for other in reversed(calls):
        if other.order < call.order:
            for model in objects(other.operands["model"]):
                inner = objects(model.given.get("module")) or [model]
                if model in units and any(unit is not each and unit in parts_of(each, held) for each in inner):
                    return other
    return None


def _is_by_data(node: Context, whole: Event) -> bool:
    """Whether a condition inside of the model asks what only this rank's data says."""
    tags = tags_of(node.value if node.value is not None else NONE)
    return bool(tags & {DATA, SHARE}) and UNIFORM not in tags and node not in set(whole.context.chain())


def _is_instead(other: Event, call: Event, unit: Object) -> bool:
    """Whether the part is called in the other arm as well, with something in the place of the data."""
    return unit in objects(other.operands["model"]) and excludes(other.context, call.context)


def _may_be_missing(run: RunView, node: Context) -> bool:
    """Whether the program is seen to bring None in the place of the data: where it makes batches, or passes them on."""
    value = node.value
    if value is not None and any(_has_none(part) for part in parts(value)):
        return True
    loaders = (made for event in run.events("iterate") for made in objects(event.operands["iterable"], "loader"))
    return any(_makes_none(loader.given.get("collate_fn")) for loader in loaders)


def _has_none(value: Value) -> bool:
    if isinstance(value, Apply) and value.operator == "is":
        return any(isinstance(each, Alternatives) and _has_none(each) for each in value.operands)
    return isinstance(value, Alternatives) and any(option == NONE for _, option in value.options)


def _makes_none(collate: Value | None) -> bool:
    """Whether a function has an arm in which it puts None where it else has something."""
    return isinstance(collate, FunctionRef) and any(map(_is_none_or, walk(collate.function)))


def _is_none_or(node: object) -> bool:
    arms = (node.body, node.orelse) if isinstance(node, code.Conditional) else ()
    return any(isinstance(arm, code.Literal) and arm.value is None for arm in arms)
