"""Reads a returns-expression of an API model: the value that a call or attribute gives."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ddl_lint.analysis.interpreter.conditions import Given, inside
from ddl_lint.analysis.interpreter.documents import decoded
from ddl_lint.analysis.interpreter.machine import Arguments, Frame, Machine, text_of
from ddl_lint.analysis.values import bounded
from ddl_lint.analysis.values.certainty import is_default_group
from ddl_lint.analysis.values.dimensions import dimension_of
from ddl_lint.analysis.values.lattice import join, map_alternatives
from ddl_lint.analysis.values.operators import apply, compare, constant_text
from ddl_lint.analysis.values.tags import RANK_TAGS
from ddl_lint.frameworks.model import Returns
from ddl_lint.program.dimensions import DIMENSIONS, rank_along, size_along
from ddl_lint.program.tags import GROUP_RANK, RANDOM, UNIFORM, UNIQUE, Tag, TagKind
from ddl_lint.program.values import (
    NONE,
    UNKNOWN,
    Alternatives,
    Apply,
    ClassRef,
    Const,
    DeviceCount,
    Flag,
    Items,
    Object,
    Rank,
    Setting,
    Symbol,
    Table,
    Unknown,
    Value,
    WorldSize,
)
from ddl_lint.source.span import Location

_STAGES: Mapping[str, Value] = {
    "first_stage": Const(0),
    "last_stage": Apply("-", (size_along("pipeline"), Const(1))),
}

_ALONE = {"rank": Const(0), "world_size": Const(1), "main_process": Const(True)}
"""What a trainer that runs in one process says of it."""


def given_by(
    m: Machine,
    frame: Frame,
    returns: Returns,
    given: Mapping[str, Value],
    receiver: Value | None,
    location: Location,
) -> Value:
    """The value of `returns`, where `given` holds the arguments under the names of the parameters."""
    kind: str = returns.kind
    value: Any = returns.value
    if kind in ("rank", "world_size") and not is_default_group(given.get("group")):
        value = dimension_of(given["group"]) or "group"
    if kind in _ALONE and isinstance(receiver, Object) and receiver.traits.get("alone"):
        return _ALONE[kind]
    if kind == "self":
        return receiver if receiver is not None else UNKNOWN
    if kind == "argument":
        held = given.get(value, receiver or UNKNOWN) if value == "self" else given.get(value, NONE)
        otherwise = returns.attributes.get("otherwise")
        if otherwise is None:
            return held
        made = given_by(m, frame, otherwise, given, receiver, location)
        return map_alternatives(held, lambda option: made if option == NONE else option)
    if kind == "first_argument":
        return next(iter(given.values()), UNKNOWN)
    if kind == "main_process" and value in _STAGES:
        return Apply("==", (rank_along("pipeline"), _STAGES[value]))
    if kind == "main_process":
        return Apply("==", (_rank("global"), _last_rank()) if value == "last" else (_rank(value), Const(0)))
    if kind == "rank_is":
        scope, default = returns.attributes.get("scope"), returns.attributes.get("default")
        number = given.get(value, UNKNOWN if default is None else Const(default.value))
        return compare("==", _rank("global" if scope is None else scope.value), number)
    if kind == "guarded":
        return _guarded(m, frame, returns, given, receiver, location)
    if kind == "module_of":
        held = receiver if value == "self" else given.get(value)
        return map_alternatives(UNKNOWN if held is None else held, lambda option: _unwrapped(m, option))
    if kind == "rank":
        return UNKNOWN if value == "group" and not given else _rank(value)
    if kind == "world_size" and value in DIMENSIONS:
        return size_along(value)
    if kind == "world_size":
        return Unknown(None, frozenset()) if value == "group" else WorldSize(value, source="api")
    if kind == "device_count":
        return DeviceCount()
    if kind == "text":
        return as_text(given_by(m, frame, value, given, receiver, location))
    if kind == "constant":
        return Const(value)
    if kind == "flag":
        return Flag(value)
    if kind == "instance":
        return _instance(m, frame, returns, given, receiver, location)
    if kind == "environment":
        return environment_value(
            m,
            frame,
            given.get(value, UNKNOWN),
            location,
            default=_default(m, frame, returns, given, receiver, location),
        )
    if kind == "encoded":
        return Apply("encoded", (given_by(m, frame, value, given, receiver, location),))
    if kind == "decoded":
        return map_alternatives(given.get(value, UNKNOWN), lambda text: decoded(m, text))
    if kind == "per_rank":
        first, others = (given_by(m, frame, part, given, receiver, location) for part in value)
        is_first: Value = Apply("==", (_rank("global"), Const(0)))
        mode = returns.attributes.get("if")
        return join(is_first if mode is None else Apply("and", (Flag(mode.value), is_first)), first, others)
    if kind == "table":
        parts = ((key, given_by(m, frame, part, given, receiver, location)) for key, part in returns.attributes.items())
        return Table(tuple((Const(key), part) for key, part in parts), open=True)
    if kind == "tuple":
        return Items("tuple", tuple(given_by(m, frame, part, given, receiver, location) for part in value))
    if kind in ("list_of", "iterator_of"):
        return Items(
            "list" if kind == "list_of" else "iterator",
            (given_by(m, frame, value, given, receiver, location),),
            open=True,
        )
    if kind == "element_of":
        held = given.get(value, UNKNOWN)
        return held.items[0] if isinstance(held, Items) and held.items else Unknown(location, m.tags_of(held))
    if kind == "inside":
        return inside(given, value, m.heap)
    if kind in ("mean", "sum"):
        whole, *others = value
        is_over_all = all(given.get(name, NONE) == NONE for name in others)
        known = apply(kind if is_over_all else "derived", given[whole]) if whole in given else m.unknown(location)
        return replace(known, location=location) if isinstance(known, Apply) else known
    if kind == "regrouped":
        as_what = returns.attributes["as"]
        return _regrouped(m, frame, as_what, given.get(value, UNKNOWN), receiver, location)
    if kind in ("derived", "asks", "exists"):
        sources = [given[name] for name in value if name in given]
        if receiver is not None and "self" in value:
            sources.insert(0, receiver)
        if kind == "derived" and any(isinstance(source, Object) and source.kind == "tensor" for source in sources):
            return Unknown(location, m.tags_of_all(sources))
        return apply(kind, *sources)
    if kind == "settings":
        return _settings(m, frame, receiver.given.get(value) if isinstance(receiver, Object) else None, location)
    if kind == "range":
        held = given.get(value)
        if isinstance(held, Items) and not held.open and not all(isinstance(part, Const) for part in held.items):
            return numbers(m, frame, held.items, location)
        return Unknown(location)
    if kind == "uniform":
        return Unknown(location, frozenset({UNIFORM}))
    if kind == "local":
        if value == "time" and is_day(given.get("format")):
            return Unknown(location)
        return Unknown(location, frozenset({RANDOM, UNIQUE} if value == "unique" else {Tag(TagKind(value))}))
    return Unknown(location)


def _regrouped(
    m: Machine, frame: Frame, as_what: Returns, value: Value, receiver: Value | None, location: Location
) -> Value:
    """What a call gives whose function has given a value once per replica."""
    if isinstance(value, Items) and not value.open:
        return replace(
            value, items=tuple(_regrouped(m, frame, as_what, each, receiver, location) for each in value.items)
        )
    if isinstance(value, Const):
        return value
    if isinstance(value, (Items, Table, Alternatives)) or value == UNKNOWN:
        return Unknown(location)
    driver = {} if receiver is None else {"strategy": receiver}
    return _instance(m, frame, as_what, {"component": value, **driver}, receiver, location)


_HOURS = re.compile("%[-#]?[HIMSfpscXTRr+]")


def is_day(form: Value | None) -> bool:
    """Whether a format tells no more of a time than its day, which is the same on all ranks of a job that starts."""
    text = text_of(form)
    return text is not None and _HOURS.search(text) is None


def _settings(m: Machine, frame: Frame, classes: Value | None, location: Location) -> Value:
    """Instances of classes whose fields the user sets."""
    if isinstance(classes, (ClassRef, Symbol)):
        classes = Items("tuple", (classes,))
    if not isinstance(classes, Items) or classes.open:
        return Unknown(location)
    made = [m.call(frame, each, Arguments(), location) for each in classes.items]
    for each in made:
        model = m.api.class_(each.api) if isinstance(each, Object) and each.api is not None else None
        for name, returns in model.attributes.items() if model is not None else ():
            if returns.kind == "argument" and isinstance(each, Object):
                m.heap.store(each, name, Setting(str(returns.value), "argument"))
    return Items("tuple", tuple(made))


def numbers(m: Machine, frame: Frame, bounds: Sequence[Value], location: Location) -> Value:
    """`range(...)`; where it begins at the rank, its numbers are a share of all."""
    made = apply("range", *bounds)
    if len(bounds) == 3 and isinstance(made, Apply) and m.tags_of(bounds[0]) & RANK_TAGS:
        made = replace(made, location=location)
        m.emit(frame, "shard", location, {"data": bounds[1], "index": bounds[0], "count": bounds[2]}).result = made
    return made


def _guarded(
    m: Machine,
    frame: Frame,
    returns: Returns,
    given: Mapping[str, Value],
    receiver: Value | None,
    location: Location,
) -> Value:
    """A function that does nothing where a condition does not hold, or a decorator that makes one."""
    condition = given_by(m, frame, returns.value, given, receiver, location)
    held = returns.attributes.get("function")
    function = NONE if held is None else given_by(m, frame, held, given, receiver, location)
    if function == NONE:
        return Object("guard", location, given={"condition": condition})
    return Object("guarded", location, given={"function": function, "condition": condition})


def _unwrapped(m: Machine, value: Value) -> Value:
    """The module inside all wrappers."""
    while isinstance(value, Object) and "wrapper" in value.traits:
        held = m.heap.attributes(value).get("module", value.given.get("module"))
        if held is None:
            break
        value = held
    return value


def _last_rank() -> Value:
    return Apply("-", (WorldSize("global", source="api"), Const(1)))


def _rank(scope: str) -> Value:
    if scope in DIMENSIONS:
        return rank_along(scope)
    if scope == "group":
        return Unknown(None, frozenset({GROUP_RANK}))
    return Rank("local" if scope == "local" else "node" if scope == "node" else "global", source="api")


def _default(
    m: Machine, frame: Frame, returns: Returns, given: Mapping[str, Value], receiver: Value | None, location: Location
) -> Value | None:
    default = returns.attributes.get("default")
    return None if default is None else given_by(m, frame, default, given, receiver, location)


def _instance(
    m: Machine,
    frame: Frame,
    returns: Returns,
    given: Mapping[str, Value],
    receiver: Value | None,
    location: Location,
) -> Value:
    model = m.api.class_(returns.value)
    attributes = {name: given_by(m, frame, p, given, receiver, location) for name, p in returns.attributes.items()}
    everything = {**given, **attributes}
    traits = dict(Given(everything, m.heap).traits(model.traits)) if model is not None else {}
    kind = model.kind if model is not None else returns.value
    if kind == "tensor" and isinstance(receiver, Object) and receiver.kind == "tensor":
        everything["operands"] = Items("tuple", (receiver,))
        if m.heap.is_random(receiver):
            traits["random"] = True
    made = m.make(kind, location, model.name if model is not None else None, given=everything, traits=traits)
    m.heap.begin(made, attributes)
    return made


def environment_value(
    m: Machine, frame: Frame, variable: Value, location: Location, *, default: Value | None = None
) -> Value:
    """The value of an environment variable: what the program set it to, or what it means by convention."""
    name = text_of(variable)
    if name is None:
        return Unknown(location)
    m.emit(
        frame,
        "read_environment",
        location,
        {"variable": variable, **({"default": default} if default is not None else {})},
    )
    stored = m.environment.get(name)
    if stored is not None:
        return stored
    meaning = m.api.conventions.environment.get(name)
    if meaning is None:
        return Setting(name, "environment", default)
    value = given_by(m, frame, meaning, {}, None, location)
    if isinstance(value, Rank):
        return Rank(value.scope, text=True, source="environment", location=location)
    if isinstance(value, WorldSize):
        return WorldSize(value.scope, text=True, source="environment", location=location)
    return value if not isinstance(value, Unknown) else Unknown(("environment", name), value.tags)


def as_text(value: Value) -> Value:
    """`str(value)`."""
    if isinstance(value, Rank):
        return Rank(value.scope, text=True, source=value.source)
    if isinstance(value, WorldSize):
        return WorldSize(value.scope, text=True, source=value.source)
    if isinstance(value, Const):
        return value if isinstance(value.value, str) else constant_text([value])
    if isinstance(value, Setting):
        return Setting(
            value.name, value.source, None if value.default is None else map_alternatives(value.default, as_text)
        )
    return apply("text", value)


def as_number(value: Value) -> Value:
    """`int(value)`."""
    return map_alternatives(value, _number)


def _number(value: Value) -> Value:
    if isinstance(value, Rank):
        return Rank(value.scope, source=value.source)
    if isinstance(value, WorldSize):
        return WorldSize(value.scope, source=value.source)
    if isinstance(value, Const):
        try:
            return Const(bounded.integer(value.value))
        except (TypeError, ValueError, ArithmeticError):
            return UNKNOWN
    if isinstance(value, Setting):
        return Setting(value.name, value.source, None if value.default is None else as_number(value.default))
    if isinstance(value, Apply) and value.operator == "text" and len(value.operands) == 1:
        return value.operands[0]
    return value
