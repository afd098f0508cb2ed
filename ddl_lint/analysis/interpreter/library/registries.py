"""Registries of libraries: classes and functions that are kept under names, and made by what a configuration says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ddl_lint.analysis.interpreter.library.classes import ancestry, is_abstract
from ddl_lint.analysis.interpreter.library.file_values import as_given
from ddl_lint.analysis.interpreter.machine import MOST_OFFERED, Arguments, Frame, Machine, text_of
from ddl_lint.analysis.values.lattice import choose, map_alternatives
from ddl_lint.analysis.values.operators import apply
from ddl_lint.program.values import (
    ClassRef,
    Const,
    FunctionRef,
    ModuleRef,
    Object,
    Setting,
    Symbol,
    Table,
    Unknown,
    Value,
)
from ddl_lint.source.span import Location

REGISTERING = "registering"
"""The kind of the decorator that keeps what it is applied to."""

_ENTRY = "entry"
"""With a name, the key under which a registry has one of its entries among its attributes."""


def decorator_of(registry: Object, name: Value | None, location: Location) -> Object:
    """What `registry.register(name=...)` returns where it is given nothing to keep."""
    return Object(
        REGISTERING, location, given={"registry": registry} if name is None else {"registry": registry, "name": name}
    )


def keep(m: Machine, decorator: Object, value: Value) -> None:
    """Let a registry have a class or function."""
    registry = decorator.given["registry"]
    name = text_of(decorator.given["name"]) if "name" in decorator.given else None
    if isinstance(registry, Object) and isinstance(value, (ClassRef, FunctionRef)):
        own = value.definition.name if isinstance(value, ClassRef) else value.function.name
        m.heap.store(registry, (_ENTRY, name or own), value)


def entry(m: Machine, registry: Object, name: Value) -> Value | None:
    """What a registry has under a name; one of its entries where that is not known, and None where it has none."""
    return map_alternatives(name, lambda each: _entry(m, registry, each)) if _entries(m, registry) else None


def _entry(m: Machine, registry: Object, name: Value) -> Value:
    entries = _entries(m, registry)
    known = text_of(as_given(name))
    if known is not None:
        return entries.get(known, Unknown((registry, known)))
    held = _concrete(m, entries.values())
    if not 0 < len(held) <= MOST_OFFERED:
        return Unknown((registry, name))
    named = [(key, value) for key, value in entries.items() if value in held]
    return choose([(frozenset({(apply("==", name, Const(key)), True)}), value) for key, value in named])


def _entries(m: Machine, registry: Object) -> Mapping[str, Value]:
    return {
        key[1]: value
        for key, value in m.heap.attributes(registry).items()
        if isinstance(key, tuple) and key[0] == _ENTRY
    }


def _concrete(m: Machine, held: Iterable[Value]) -> list[Value]:
    """Without abstract classes from which others derive."""
    found = list(held)
    classes = [each for each in found if isinstance(each, ClassRef)]
    bases = {base for each in classes for base in ancestry(m, each) if base != each}
    abstract = {each for each in classes if each in bases and is_abstract(each.definition)}
    return [each for each in found if each not in abstract]


def built(
    m: Machine,
    frame: Frame,
    settings: Value,
    key: str,
    registry: Object | None,
    further: Iterable[tuple[str, Value]],
    location: Location,
) -> Value:
    """What is made of the class that a dict of settings names under a key, with its other settings as arguments."""

    def made(option: Value) -> Value:
        table = option if isinstance(option, Table) else Table((), open=True)
        named = next((value for name, value in table.items if text_of(name) == key), None)
        found = _meant(m, frame, registry, named if named is not None else Unknown((location, key)))
        if found is None:
            return Unknown(location)
        given = {text_of(name) or "": value for name, value in table.items if text_of(name) not in (None, key)}
        given.update(further)
        arguments = Arguments(keywords=list(given.items()), double_star=table.open)
        return map_alternatives(found, lambda each: m.call(frame, each, arguments, location))

    return map_alternatives(settings, made)


def _meant(m: Machine, frame: Frame, registry: Object | None, named: Value) -> Value | None:
    """The class or function that a setting names: in a registry, or by the path of its module."""
    chosen = as_given(named)
    if isinstance(chosen, (ClassRef, FunctionRef, Symbol)):
        return chosen
    if registry is not None:
        return entry(m, registry, named)
    return located(m, frame, named)


def located(m: Machine, frame: Frame, path: Value) -> Value:
    """The class or function at a dotted path; a setting means its default."""
    return map_alternatives(path, lambda each: _at_path(m, frame, text_of(_default(each)) or ""))


def _default(value: Value) -> Value:
    return value.default if isinstance(value, Setting) and value.default is not None else value


def _at_path(m: Machine, frame: Frame, path: str) -> Value:
    """What a dotted path means: a class or function of a module of the project, else of a library."""
    module, _, name = path.replace(":", ".").rpartition(".")
    if not module:
        return Unknown(("path", path))
    found = m.codebase.find(module, frame.module)
    if found is None:
        return Symbol(path)
    held = m.module_names(found).get(name)
    return held if held is not None else Unknown((ModuleRef(found), name))


# --- settings that are kept in an object ------------------------------------------------------------------------------


def override(m: Machine, node: Object, document: Value, path: str = "") -> None:
    """Give the settings of an object, and of those in it, what a document says; each of the others may have another
    value as well, and has by default what the code says.
    """
    said = {text_of(name): value for name, value in document.items} if isinstance(document, Table) else {}
    for name, held in list(m.heap.attributes(node).items()):
        if not isinstance(name, str):
            continue
        where = f"{path}.{name}" if path else name
        value = said.get(name)
        if isinstance(held, Object) and held.kind == "namespace":
            override(m, held, value if value is not None else Unknown(where), where)
        elif value is not None:
            m.heap.store(node, name, value)
        elif isinstance(held, Const):
            m.heap.store(node, name, m.conventional(name) or Setting(where, "argument", held))
