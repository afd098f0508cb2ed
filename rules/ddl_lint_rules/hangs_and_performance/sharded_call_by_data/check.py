"""Finds parts of a sharded model that only those ranks run whose data needs them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ddl_lint.rulekit import (
    DATA,
    NONE,
    SHARE,
    UNIFORM,
    Alternatives,
    Apply,
    Bound,
    ClassRef,
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
    branches,
    code,
    contents,
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
from ddl_lint.rulekit.domain import Model
from ddl_lint.rulekit.events import Backward, Forward, Iterate, OptimizerStep, WrapModel


def check(run: RunView) -> Iterable[Finding]:
    """One finding per condition."""
    units = _units(run)
    if not units:
        return
    last = max((event.order for event in run.events(Backward, OptimizerStep)), default=0)
    calls = [event for event in run.events(Forward) if objects(event.model)]
    seen: set[object] = set()
    held = module_children(run)
    for call in calls:
        unit = next(
            (
                each
                for each in objects(call.model)
                if each in units or not units.keys().isdisjoint(parts_of(each, held))
            ),
            None,
        )
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
                Evidence("the parameters of this part are sharded here", _sharded(unit, units, held).location),
            ),
            confidence=None if sure else Confidence.MEDIUM,
            doubt="" if sure else "the data may be the same kind in every batch",
        )


def _units(run: RunView) -> Mapping[Object, Event]:
    """The modules whose parameters are gathered whenever they are called, each with what has sharded them."""
    held = module_children(run)
    found: dict[Object, Event] = {}
    for wrap in run.events(WrapModel):
        models = objects(wrap.model, "model")
        wrappers = [Model(made).wrapper for made in objects(wrap.result)]
        in_place = [run.heap.get(model, Fact.WRAPPED) for model in models]
        if "fsdp1" in wrappers or Const("fsdp2") in in_place:
            found.update(dict.fromkeys((*models, *objects(wrap.result)), wrap))
        if "fsdp1" in wrappers or wrap.traits.get("wrapper") == "fsdp2":
            found.update(dict.fromkeys(_of_classes(wrap, models, held), wrap))
    for engine in engines(run):
        if engine.has("sharded"):
            found.update((part, engine.wrap) for part in engine.parts if has_parameters(part, held))
            found[engine.made] = engine.wrap
    return found


def _of_classes(wrap: Event, models: Iterable[Object], held: Mapping[Object, list[Object]]) -> Iterator[Object]:
    """The parts of a model that are sharded for their class: a policy names it, or a loop over modules asks for it."""
    policies = [made.given.get("auto_wrap_policy") for made in objects(wrap.result)]
    bound = (value for each in policies if isinstance(each, Bound) for _, value in each.keywords)
    named = (*policies, *bound, *(node.value for node in branches(wrap.context) if _asks_class(node)))
    classes = {part for value in named if value is not None for part in contents(value) if isinstance(part, ClassRef)}
    for model in models:
        for whole in objects(model.given.get("of")) or [model]:
            yield from (part for part in parts_of(whole, held) if part.definition in classes)


def _asks_class(node: Context) -> bool:
    return node.arm and isinstance(node.value, Apply) and node.value.operator == "isinstance"


def _sharded(unit: Object, units: Mapping[Object, Event], held: Mapping[Object, list[Object]]) -> Event:
    """What has sharded a part, or what is in it."""
    return units.get(unit) or next(units[part] for part in parts_of(unit, held) if part in units)


def _around(
    run: RunView, calls: Sequence[Event], call: Event, unit: Object, units: Mapping[Object, Event]
) -> Event | None:
    """The call of a larger sharded module inside of which a part is called."""
    held = module_children(run)
    for other in reversed(calls):
        if other.order < call.order:
            for model in objects(other.operands["model"]):
                inner = objects(Model(model).inner) or [model]
                if model in units and any(unit is not each and unit in parts_of(each, held) for each in inner):
                    return other
    return None


def _is_by_data(node: Context, whole: Event) -> bool:
    """Whether a condition inside of the model asks what only this rank's data says."""
    tags = tags_of(node.value if node.value is not None else NONE)
    return bool(tags & {DATA, SHARE}) and UNIFORM not in tags and node not in set(whole.context.chain())


def _is_instead(other: Forward | WrapModel, call: Event, unit: Object) -> bool:
    """Whether the part is called in the other arm as well, with something in the place of the data."""
    return unit in objects(other.model) and excludes(other.context, call.context)


def _may_be_missing(run: RunView, node: Context) -> bool:
    """Whether the program is seen to bring None in the place of the data: where it makes batches, or passes them on."""
    value = node.value
    if value is not None and any(_has_none(part) for part in parts(value)):
        return True
    loaders = (made for event in run.events(Iterate) for made in objects(event.iterable, "loader"))
    return any(_makes_none(loader.given.get("collate_fn")) for loader in loaders)


def _has_none(value: Value) -> bool:
    if isinstance(value, Apply) and value.operator == "is":
        return any(isinstance(each, Alternatives) and _has_none(each) for each in value.operands)
    return isinstance(value, Alternatives) and any(option == NONE for _, option in value.options)


def _makes_none(collate: Value | None) -> bool:
    """Whether a function, or an object that is called, puts None where it else has something."""
    if isinstance(collate, Bound):
        return _makes_none(collate.function)
    if isinstance(collate, Object) and collate.definition is not None:
        methods = (each for each in collate.definition.definition.body if isinstance(each, code.Function))
        return any(_has_both(each) for each in methods if each.name == "__call__")
    return isinstance(collate, FunctionRef) and _has_both(collate.function)


def _has_both(function: code.Function) -> bool:
    """Whether a function gives a name, a key or an expression None in one place and something else in another."""
    found: dict[object, set[bool]] = defaultdict(set)
    for node in walk(function):
        for name, value in _given(node):
            found[name].add(isinstance(value, code.Literal) and value.value is None)
    return any(len(each) > 1 for each in found.values())


def _given(node: object) -> Iterator[tuple[object, object]]:
    """What a piece of code puts where."""
    if isinstance(node, code.Conditional):
        yield from ((id(node), arm) for arm in (node.body, node.orelse))
    elif isinstance(node, code.Dictionary):
        yield from ((key.value, value) for key, value in node.items if isinstance(key, code.Literal))
    elif isinstance(node, code.Assign):
        for target in node.targets:
            if isinstance(target, code.Name):
                yield ("name", target.id), node.value
            elif isinstance(target, code.Subscript) and isinstance(target.index, code.Literal):
                yield target.index.value, node.value
