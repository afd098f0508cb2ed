"""Finds layers and parameters in plain lists and dicts of a module, which does not know them then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from ddl_lint.rulekit import (
    NONE,
    Const,
    Event,
    Evidence,
    Finding,
    Items,
    Object,
    RunView,
    Shared,
    Table,
    Value,
    alternatives,
    code,
    excludes,
    idiom_at,
    mentioned,
    module_children,
    objects,
    objects_in,
    parts_of,
    quoted,
    with_fix,
)
from ddl_lint.rulekit.events import (
    Fit,
    Forward,
    InitProcessGroup,
    Prepare,
    RegisterModule,
    RegisterParameter,
    Store,
    WrapModel,
)
from ddl_lint_rules.data_and_model.modules_in_plain_list.fix import fix

_TRAINING = (InitProcessGroup, WrapModel, Prepare, Fit)
_CONTAINERS = {"list": "a list", "tuple": "a tuple", "set": "a set", "dict": "a dict"}

_UNSEEN = Items("tuple", (), open=True)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per attribute."""
    seen: set[tuple[code.Class, object]] = set()
    stores = _by_attribute(run)
    known: set[Object] | None = None
    for (owner, name), events in stores.items():
        events = [event for event in events if not _is_replaced(event, events)]
        if owner.definition is None or not any(_held(event) for event in events) or _looks_inside(run, owner):
            continue
        definition = owner.definition.definition
        if (definition, name) in seen or run.heap.is_escaped(owner) or not _is_read_in_forward(definition, name):
            continue
        known = _registered(run) if known is None else known
        held = [item for event in events for item in _held(event)]
        lost = [item for item in held if item not in known and _learns(item, owner, run)]
        if not lost or _is_kept_out(events) or _may_be_spread(owner, stores) or _may_be_registered(run, owner):
            continue
        seen.add((definition, name))
        value = next(event.operands["value"] for event in reversed(events) if _held(event))
        kind = _CONTAINERS["dict" if isinstance(value, Table) else value.kind if isinstance(value, Items) else "list"]
        what = "parameters" if all(item.kind == "parameter" for item in lost) else "modules"
        attribute = quoted(run, events[0].location, "this container")
        finding = Finding(
            f"the {what} in {attribute}, {kind}, are not registered: not trained, moved, synced or saved",
            events[0].location,
            (Evidence("the first of them is created here", lost[0].location),),
            help=f"Keep them in {_container(run, owner, events[0], what, value)}, which registers them.",
        )
        yield with_fix(finding, fix, run, owner, events, value)


def _is_replaced(store: Event, events: Iterable[Event]) -> bool:
    """Whether the attribute becomes no container later: the list may be what that was built from."""
    return bool(_held(store)) and any(
        other.order > store.order and not _held(other) and not excludes(store.context, other.context)
        for other in events
    )


def _looks_inside(run: RunView, owner: Object) -> bool:
    """Whether the library of a module finds layers in lists by itself, as Keras does, and so has no containers for
    them.
    """
    return bool(owner.api) and run.api.idiom(run.api.framework(owner.api or ""), "modules_in_list") is None


def _container(run: RunView, owner: Object, store: Event, what: str, value: Value) -> str:
    """What the library has for such a container."""
    kind = "dict" if isinstance(value, Table) else "list"
    said = idiom_at("", run, store.location, owner.api or "", f"{what}_in_{kind}", items="")
    return f"`{said.removesuffix('()')}`" if said else "a container of modules"


def publish(run: RunView) -> Iterator[bool]:
    """Whether several processes may train in the run."""
    if run.has(*_TRAINING):
        yield True


def join(finding: Finding, shared: Shared[bool]) -> Finding | None:
    """It is of consequence where a program that uses the module trains it."""
    return finding if any(shared.program) else None


def _by_attribute(run: RunView) -> Mapping[tuple[Object, str], list[Event]]:
    """What was stored on the modules of a run, by module and name."""
    found: dict[tuple[Object, str], list[Event]] = defaultdict(list)
    for event in run.events(Store):
        owner, name = event.object, event.name
        if isinstance(owner, Object) and isinstance(name, Const) and isinstance(name.value, str):
            found[owner, name.value].append(event)
    return found


def _held(store: Event) -> list[Object]:
    """The modules and new parameters in a container that is stored; none where it may be something else."""
    value = store.operands["value"]
    options = [option for option in alternatives(value) if option != NONE]
    if not all(isinstance(option, (Items, Table)) for option in options):
        return []
    return [item for option in options for item in objects_in(option) if item.kind == "model" or _is_new(item)]


def _is_new(item: Object) -> bool:
    """Whether this is a parameter of no module yet, and not one that a module has given: `module.parameters()`."""
    return item.kind == "parameter" and "of" not in item.given


def _registered(run: RunView) -> set[Object]:
    """What some module knows: it was assigned or registered on its own, or given to one that was built."""
    found: set[Object] = set()
    for event in run.events(Store):
        found.update(option for option in alternatives(event.operands["value"]) if isinstance(option, Object))
    for event in run.events(RegisterModule, RegisterParameter):
        for role in ("child", "tensor"):
            found.update(objects_in(event.operands.get(role, NONE)))
    for event in run.events(Store, RegisterModule, Forward, WrapModel):
        for value in event.operands.values():
            for item in objects_in(value):
                if item.kind == "model":
                    found.update(_given(item))
    return found


def _given(module: Object) -> Iterator[Object]:
    for value in module.given.values():
        for item in objects_in(value):
            if item is not module:
                yield item


def _learns(item: Object, owner: Object, run: RunView) -> bool:
    """Whether something in a module has parameters; what it only knows, as the module that holds it, is not in it."""
    held = {module: children for module, children in run.once(_registered_children).items() if module is not owner}
    parts = parts_of(item, held) - {owner}
    classes = run.once(_learning_classes)
    return any(map(_has_parameters, parts)) or any(
        part.definition is not None and part.definition.definition in classes for part in parts
    )


def _registered_children(run: RunView) -> Mapping[Object, list[Object]]:
    """What modules hold that they know of: a list may hold a module just to keep it from being registered."""
    found: dict[Object, list[Object]] = {}
    in_lists = {
        (store.object, item)
        for store in run.events(Store)
        for option in alternatives(store.operands["value"])
        if isinstance(option, Items)
        for item in objects_in(option)
    }
    for module, children in module_children(run).items():
        found[module] = [child for child in children if (module, child) not in in_lists]
    return found


def _learning_classes(run: RunView) -> set[code.Class]:
    """The classes of which some module has parameters; the constructors of others may not have been followed."""
    held = run.once(_registered_children)
    return {
        owner.definition.definition
        for owner in held
        if owner.definition is not None and any(map(_has_parameters, parts_of(owner, held)))
    }


def _has_parameters(part: Object) -> bool:
    return part.kind == "parameter" or bool(part.traits.get("parameters"))


def _is_read_in_forward(definition: code.Class, name: str) -> bool:
    """Whether `forward`, or a method that it calls, mentions the attribute."""
    methods = {part.name for part in definition.body if isinstance(part, code.Function)} - {"__init__"}
    words, waiting = set[str](), ["forward"]
    while waiting:
        new = mentioned(definition, waiting.pop()) - words
        words |= new
        waiting.extend(new & methods)
    return name in words


def _is_kept_out(events: list[Event]) -> bool:
    """Whether a list has only one module, if it is there at all: that is how people hide it from the module on
    purpose.
    """
    stored = [option for event in events for option in alternatives(event.operands["value"]) if option != NONE]
    (first, *others) = stored or [NONE]
    return not others and isinstance(first, Items) and not first.open and len(first.items) == 1


def _may_be_registered(run: RunView, owner: Object) -> bool:
    """Whether unknown modules are registered with the module: `add_module(key, self.parts[key])`."""
    return any(event.module is owner and not objects(event.child) for event in run.events(RegisterModule))


def _may_be_spread(owner: Object, stores: Mapping[tuple[Object, str], list[Event]]) -> bool:
    """Whether the module has another one that was built of unknown elements: `Sequential(*layers)`."""
    return any(
        isinstance(value, Object) and any(given == _UNSEEN for given in value.given.values())
        for (other, _), events in stores.items()
        if other is owner
        for event in events
        for value in alternatives(event.operands["value"])
    )
