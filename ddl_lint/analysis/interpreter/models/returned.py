"""Reads a returns-expression of an API model: the value that a call or attribute gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ddl_lint.analysis.interpreter.library import registries
from ddl_lint.analysis.interpreter.library.classes import ancestry, library_model
from ddl_lint.analysis.interpreter.library.documents import composed, decoded
from ddl_lint.analysis.interpreter.library.file_values import merged
from ddl_lint.analysis.interpreter.machine import Arguments, Frame, Machine, text_of
from ddl_lint.analysis.interpreter.models.call_sites import CallSite, ModelledCall
from ddl_lint.analysis.interpreter.models.conditions import Given, inside
from ddl_lint.analysis.values import bounded
from ddl_lint.analysis.values.certainty import is_default_group
from ddl_lint.analysis.values.dimensions import dimension_of
from ddl_lint.analysis.values.lattice import join, map_alternatives
from ddl_lint.analysis.values.operators import apply, compare, constant_text
from ddl_lint.analysis.values.tags import RANK_TAGS
from ddl_lint.frameworks.model import Returns
from ddl_lint.program.dimensions import DIMENSIONS, rank_along, size_along
from ddl_lint.program.tags import DATA, GROUP_RANK, RANDOM, UNIFORM, Tag, TagKind
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


def evaluate_returns(m: Machine, returns: Returns, site: CallSite) -> Value:
    """The value of a returns-expression at a call."""
    return _BY_KIND[returns.kind](m, returns, site)


# --- what was passed ----------------------------------------------------------------------------------------------


def _receiver(m: Machine, returns: Returns, site: CallSite) -> Value:
    return site.receiver if site.receiver is not None else UNKNOWN


def _argument(m: Machine, returns: Returns, site: CallSite) -> Value:
    name = returns.value
    held = site.given.get(name, (site.receiver or UNKNOWN) if name == "self" else NONE)
    otherwise = returns.attributes.get("otherwise")
    if otherwise is None:
        return held
    made = evaluate_returns(m, otherwise, site)
    return map_alternatives(held, lambda option: made if option == NONE else option)


def _first_argument(m: Machine, returns: Returns, site: CallSite) -> Value:
    return next(iter(site.given.values()), UNKNOWN)


def _module_of(m: Machine, returns: Returns, site: CallSite) -> Value:
    held = site.receiver if returns.value == "self" else site.given.get(returns.value)
    return map_alternatives(UNKNOWN if held is None else held, lambda option: _unwrapped(m, option))


def _unwrapped(m: Machine, value: Value) -> Value:
    """The module inside all wrappers."""
    while isinstance(value, Object) and "wrapper" in value.traits:
        held = m.heap.attributes(value).get("module", value.given.get("module"))
        if held is None:
            break
        value = held
    return value


def _element_of(m: Machine, returns: Returns, site: CallSite) -> Value:
    held = site.given.get(returns.value, UNKNOWN)
    return held.items[0] if isinstance(held, Items) and held.items else Unknown(site.location, m.tags_of(held))


def _inside(m: Machine, returns: Returns, site: CallSite) -> Value:
    return inside(site.given, returns.value, m.heap)


def _decoded(m: Machine, returns: Returns, site: CallSite) -> Value:
    return map_alternatives(site.given.get(returns.value, UNKNOWN), lambda text: decoded(m, text))


def _merged(m: Machine, returns: Returns, site: CallSite) -> Value:
    given = site.given.get(returns.value)
    return merged(given.items) if isinstance(given, Items) and not given.open else Unknown(site.location)


def _composed(m: Machine, returns: Returns, site: CallSite) -> Value:
    """A decorator of a function that is called with a configuration."""
    folder, name = (site.given.get(each) for each in returns.value)
    settings = composed(m, folder, name, site.frame.path)
    return (
        Unknown(site.location) if settings is None else Object("composed", site.location, given={"settings": settings})
    )


# --- what registries and configurations give -----------------------------------------------------------------------


def _registered(m: Machine, returns: Returns, site: CallSite) -> Value:
    if not isinstance(site.receiver, Object):
        return Unknown(site.location)
    what, name = (site.given.get(each, NONE) for each in returns.value)
    decorator = registries.decorator_of(site.receiver, None if name == NONE else name, site.location)
    if what == NONE:
        return decorator
    registries.keep(m, decorator, what)
    return what


def _entry(m: Machine, returns: Returns, site: CallSite) -> Value:
    name, registry = site.given.get(returns.value, UNKNOWN), site.receiver
    found = registries.entry(m, registry, name) if isinstance(registry, Object) else None
    return Unknown(site.location) if found is None else found


def _built(m: Machine, returns: Returns, site: CallSite) -> Value:
    settings = site.given.get(returns.value, UNKNOWN)
    named = returns.attributes.get("registry")
    registry = site.receiver if named is None else site.given.get(named.value)
    further = site.given.get("default_args")
    pairs = [(str(text_of(key)), value) for key, value in further.items] if isinstance(further, Table) else []
    if isinstance(site, ModelledCall):
        pairs += list(site.bound.extra_keywords.items())
    key = str(returns.attributes["key"].value)
    known = registry if isinstance(registry, Object) and registry.kind == "registry" else None
    if named is not None and known is None:
        return Unknown(site.location)
    return registries.built(m, site.frame, settings, key, known, pairs, site.location)


def _located(m: Machine, returns: Returns, site: CallSite) -> Value:
    return registries.located(m, site.frame, site.given.get(returns.value, UNKNOWN))


def _overridden(m: Machine, returns: Returns, site: CallSite) -> Value:
    source = site.given.get(returns.value, UNKNOWN)
    if isinstance(site.receiver, Object):
        registries.override(m, site.receiver, decoded(m, source))
    return NONE


# --- ranks and sizes ----------------------------------------------------------------------------------------------

_STAGES: Mapping[str, Value] = {
    "first_stage": Const(0),
    "last_stage": Apply("-", (size_along("pipeline"), Const(1))),
}

_LAST_RANK = Apply("-", (WorldSize("global", source="api"), Const(1)))


def _is_alone(site: CallSite) -> bool:
    """Whether it is asked of a trainer that runs in one process."""
    return isinstance(site.receiver, Object) and bool(site.receiver.traits.get("alone"))


def _scope(returns: Returns, site: CallSite) -> str:
    """The processes among which a rank or size counts: those of the group that a call is given, if it is."""
    group = site.given.get("group")
    return returns.value if is_default_group(group) else dimension_of(group) or "group"


def _rank(m: Machine, returns: Returns, site: CallSite) -> Value:
    if _is_alone(site):
        return Const(0)
    scope = _scope(returns, site)
    return UNKNOWN if scope == "group" and not site.given else _rank_in(scope)


def _rank_in(scope: str) -> Value:
    if scope in DIMENSIONS:
        return rank_along(scope)
    if scope == "group":
        return Unknown(None, frozenset({GROUP_RANK}))
    return Rank("local" if scope == "local" else "node" if scope == "node" else "global", source="api")


def _rank_is(m: Machine, returns: Returns, site: CallSite) -> Value:
    scope, default = returns.attributes.get("scope"), returns.attributes.get("default")
    number = site.given.get(returns.value, UNKNOWN if default is None else Const(default.value))
    return compare("==", _rank_in("global" if scope is None else scope.value), number)


def _world_size(m: Machine, returns: Returns, site: CallSite) -> Value:
    if _is_alone(site):
        return Const(1)
    scope = _scope(returns, site)
    if scope in DIMENSIONS:
        return size_along(scope)
    if scope == "group":
        return Unknown(None, frozenset())
    return WorldSize("local" if scope == "local" else "global", source="api")


def _main_process(m: Machine, returns: Returns, site: CallSite) -> Value:
    which = returns.value
    if _is_alone(site):
        return Const(True)
    if which in _STAGES:
        return Apply("==", (rank_along("pipeline"), _STAGES[which]))
    return Apply("==", (_rank_in("global"), _LAST_RANK) if which == "last" else (_rank_in(which), Const(0)))


def _per_rank(m: Machine, returns: Returns, site: CallSite) -> Value:
    first, others = (evaluate_returns(m, part, site) for part in returns.value)
    is_first: Value = Apply("==", (_rank_in("global"), Const(0)))
    mode = returns.attributes.get("if")
    return join(is_first if mode is None else Apply("and", (Flag(mode.value), is_first)), first, others)


def _device_count(m: Machine, returns: Returns, site: CallSite) -> Value:
    return DeviceCount()


# --- plain values and containers ----------------------------------------------------------------------------------


def _constant(m: Machine, returns: Returns, site: CallSite) -> Value:
    return Const(returns.value)


def _flag(m: Machine, returns: Returns, site: CallSite) -> Value:
    return Flag(returns.value)


def _text(m: Machine, returns: Returns, site: CallSite) -> Value:
    return as_text(evaluate_returns(m, returns.value, site))


def _encoded(m: Machine, returns: Returns, site: CallSite) -> Value:
    return Apply("encoded", (evaluate_returns(m, returns.value, site),))


def _table(m: Machine, returns: Returns, site: CallSite) -> Value:
    return Table(
        tuple((Const(key), evaluate_returns(m, part, site)) for key, part in returns.attributes.items()), open=True
    )


def _tuple(m: Machine, returns: Returns, site: CallSite) -> Value:
    return Items("tuple", tuple(evaluate_returns(m, part, site) for part in returns.value))


def _list_of(m: Machine, returns: Returns, site: CallSite) -> Value:
    return Items("list", (evaluate_returns(m, returns.value, site),), open=True)


def _iterator_of(m: Machine, returns: Returns, site: CallSite) -> Value:
    return Items("iterator", (evaluate_returns(m, returns.value, site),), open=True)


def _environment(m: Machine, returns: Returns, site: CallSite) -> Value:
    default = returns.attributes.get("default")
    return environment_value(
        m,
        site.frame,
        site.given.get(returns.value, UNKNOWN),
        site.location,
        default=None if default is None else evaluate_returns(m, default, site),
    )


# --- objects ------------------------------------------------------------------------------------------------------


def _instance(m: Machine, returns: Returns, site: CallSite) -> Value:
    model, receiver = m.api.class_(returns.value), site.receiver
    attributes = {name: evaluate_returns(m, part, site) for name, part in returns.attributes.items()}
    everything = {**site.given, **attributes}
    traits = dict(Given(everything, m.heap).traits(model.traits)) if model is not None else {}
    kind = model.kind if model is not None else returns.value
    if kind == "tensor" and isinstance(receiver, Object) and receiver.kind == "tensor":
        everything["operands"] = Items("tuple", (receiver,))
        if m.heap.is_random(receiver):
            traits["random"] = True
    made = m.make(kind, site.location, model.name if model is not None else None, given=everything, traits=traits)
    m.heap.begin(made, attributes)
    return made


def _guarded(m: Machine, returns: Returns, site: CallSite) -> Value:
    """A function that does nothing where a condition does not hold, or a decorator that makes one."""
    condition = evaluate_returns(m, returns.value, site)
    held = returns.attributes.get("function")
    function = NONE if held is None else evaluate_returns(m, held, site)
    if function == NONE:
        return Object("guard", site.location, given={"condition": condition})
    return Object("guarded", site.location, given={"function": function, "condition": condition})


def _regrouped(m: Machine, returns: Returns, site: CallSite) -> Value:
    return _in_groups(m, returns.attributes["as"], site.given.get(returns.value, UNKNOWN), site)


def _in_groups(m: Machine, as_what: Returns, value: Value, site: CallSite) -> Value:
    """What a call gives whose function has given a value once per replica."""
    if isinstance(value, Items) and not value.open:
        return replace(value, items=tuple(_in_groups(m, as_what, each, site) for each in value.items))
    if isinstance(value, Const):
        return value
    if isinstance(value, (Items, Table, Alternatives)) or value == UNKNOWN:
        return Unknown(site.location)
    driver = {} if site.receiver is None else {"strategy": site.receiver}
    made_of: dict[str, Value] = {"component": value, **driver}
    return _instance(m, as_what, CallSite(site.frame, site.location, site.receiver, made_of))


def _settings(m: Machine, returns: Returns, site: CallSite) -> Value:
    """Instances of classes whose fields the user sets, on the command line or in a file."""
    classes = site.receiver.given.get(returns.value) if isinstance(site.receiver, Object) else None
    if isinstance(classes, (ClassRef, Symbol)):
        classes = Items("tuple", (classes,))
    if not isinstance(classes, Items) or classes.open:
        return Unknown(site.location)
    told = _in_file(m, returns, site)
    fields = [_fields(m, each) for each in classes.items]
    of_one = {name for names in fields for name in names}
    made: list[Value] = []
    for each, names in zip(classes.items, fields, strict=True):
        others = () if isinstance(each, ClassRef) and library_model(m, each) is None else told.keys() - of_one
        keywords = [(name, value) for name, value in told.items() if name in names or name in others]
        made.append(m.call(site.frame, each, Arguments(keywords=keywords, options=True), site.location))
    for each in made:
        model = m.api.class_(each.api) if isinstance(each, Object) and each.api is not None else None
        for name, held in model.attributes.items() if model is not None else ():
            if held.kind == "argument" and isinstance(each, Object) and held.value not in told:
                m.heap.store(each, name, Setting(str(held.value), "argument"))
    return Items("tuple", tuple(made))


def _fields(m: Machine, owner: Value) -> frozenset[str]:
    """The names of the fields that a class of the project declares, with its bases."""
    bases = ancestry(m, owner) if isinstance(owner, ClassRef) else ()
    return frozenset(name for base in bases if isinstance(base, ClassRef) for name in m.class_body(base).annotations)


def _in_file(m: Machine, returns: Returns, site: CallSite) -> dict[str, Value]:
    """What the file says from which fields are filled; where an option names it, launches may give others beside."""
    file, option = returns.attributes.get("file"), returns.attributes.get("option")
    path = evaluate_returns(m, file, site) if file is not None else None
    if option is not None:
        path = Setting(str(option.value), "argument")
    told = decoded(m, path) if path is not None else None
    pairs = [(text_of(key), value) for key, value in told.items] if isinstance(told, Table) else []
    given = m.settings_files.names_given(m.run.path) if option is not None else frozenset[str]()
    return {
        name: Setting(name, "argument", value) if name in given else value for name, value in pairs if name is not None
    }


# --- what is computed ---------------------------------------------------------------------------------------------


def _statistic(m: Machine, returns: Returns, site: CallSite) -> Value:
    whole, *others = returns.value
    if whole not in site.given:
        return m.unknown(site.location)
    is_over_all = all(site.given.get(name, NONE) == NONE for name in others)
    known = apply(returns.kind if is_over_all else "derived", site.given[whole])
    return replace(known, location=site.location) if isinstance(known, Apply) else known


def _sources(returns: Returns, site: CallSite) -> list[Value]:
    """What a value is computed from."""
    sources = [site.given[name] for name in returns.value if name in site.given]
    return [site.receiver, *sources] if site.receiver is not None and "self" in returns.value else sources


def _derived(m: Machine, returns: Returns, site: CallSite) -> Value:
    sources = _sources(returns, site)
    if any(isinstance(source, Object) and source.kind == "tensor" for source in sources):
        return Unknown(site.location, m.tags_of_all(sources))
    return apply("derived", *sources)


def _answer(m: Machine, returns: Returns, site: CallSite) -> Value:
    return apply(returns.kind, *_sources(returns, site))


def _range(m: Machine, returns: Returns, site: CallSite) -> Value:
    held = site.given.get(returns.value)
    if isinstance(held, Items) and not held.open and not all(isinstance(part, Const) for part in held.items):
        return numbers(m, site.frame, held.items, site.location)
    return Unknown(site.location)


# --- what is unknown ----------------------------------------------------------------------------------------------


def _uniform(m: Machine, returns: Returns, site: CallSite) -> Value:
    return Unknown(site.location, frozenset({UNIFORM}))


def _local(m: Machine, returns: Returns, site: CallSite) -> Value:
    if returns.value == "time" and is_day(site.given.get("format")):
        return Unknown(site.location)
    return Unknown(site.location, frozenset({Tag(TagKind(returns.value)), *_ALSO.get(returns.value, ())}))


_ALSO: Mapping[str, tuple[Tag, ...]] = {"unique": (RANDOM,), "process": (DATA,), "host": (DATA,)}
"""What else is true of something local: rules that do not ask more closely see these tags."""


def _unknown(m: Machine, returns: Returns, site: CallSite) -> Value:
    return Unknown(site.location)


_BY_KIND: Mapping[str, Callable[[Machine, Returns, CallSite], Value]] = {
    "self": _receiver,
    "argument": _argument,
    "first_argument": _first_argument,
    "arguments": _unknown,  # they are known only where a call gives them back as a whole
    "module_of": _module_of,
    "element_of": _element_of,
    "inside": _inside,
    "decoded": _decoded,
    "merged": _merged,
    "composed": _composed,
    "registered": _registered,
    "entry": _entry,
    "built": _built,
    "located": _located,
    "overridden": _overridden,
    "rank": _rank,
    "rank_is": _rank_is,
    "world_size": _world_size,
    "main_process": _main_process,
    "per_rank": _per_rank,
    "device_count": _device_count,
    "constant": _constant,
    "flag": _flag,
    "text": _text,
    "encoded": _encoded,
    "table": _table,
    "tuple": _tuple,
    "list_of": _list_of,
    "iterator_of": _iterator_of,
    "environment": _environment,
    "instance": _instance,
    "guarded": _guarded,
    "regrouped": _regrouped,
    "settings": _settings,
    "mean": _statistic,
    "sum": _statistic,
    "derived": _derived,
    "asks": _answer,
    "exists": _answer,
    "range": _range,
    "uniform": _uniform,
    "local": _local,
    "unknown": _unknown,
}
"""What is computed for each of `RETURN_KINDS`."""


# --- what Python itself gives in the same way ---------------------------------------------------------------------

_HOURS = re.compile("%[-#]?[HIMSfpscXTRr+]")


def is_day(form: Value | None) -> bool:
    """Whether a format tells no more of a time than its day, which is the same on all ranks of a job that starts."""
    text = text_of(form)
    return text is not None and _HOURS.search(text) is None


def numbers(m: Machine, frame: Frame, bounds: Sequence[Value], location: Location) -> Value:
    """`range(...)`; where it begins at the rank, or with the block of the rank, its numbers are a share of all."""
    made = apply("range", *bounds)
    if len(bounds) < 2 or not isinstance(made, Apply) or not m.tags_of(bounds[0]) & RANK_TAGS:
        return made
    made = replace(made, location=location)
    start, stop, *steps = bounds
    if steps:
        m.emit(frame, "shard", location, {"data": stop, "index": start, "count": steps[0]}).result = made
    elif isinstance(stop, Apply) and stop.operator == "min":
        whole = next((bound for bound in stop.operands if not m.tags_of(bound) & RANK_TAGS), None)
        if whole is not None:
            m.emit(frame, "shard", location, {"data": whole, "index": start, "stop": stop}).result = made
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
    value = evaluate_returns(m, meaning, CallSite(frame, location, None, {}))
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
