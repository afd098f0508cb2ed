"""Classes of the project: their bases, members, and the library classes that they derive from."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.analysis.interpreter.machine import Machine
from ddl_lint.analysis.values.certainty import last_word
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.frameworks.model import ClassModel
from ddl_lint.program.values import Alternatives, ClassRef, Const, FunctionRef, Items, Object, Symbol, Unknown, Value

_ROOTS = frozenset({"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol", "builtins.Exception"})


def ancestry(m: Machine, ref: ClassRef) -> Iterator[Value]:
    """The class and its bases, nearest first: project classes as `ClassRef`, others as they were written."""
    seen: set[Value] = set()
    waiting: list[Value] = [ref]
    while waiting:
        current = waiting.pop(0)
        if current in seen:
            continue
        seen.add(current)
        yield current
        if isinstance(current, ClassRef):
            for base in m.class_body(current).bases:
                waiting.extend(alternatives(base))


def find_member(m: Machine, ref: ClassRef, name: str, *, after: ClassRef | None = None) -> Value | None:
    """A method or class attribute, through project bases; with `after`, only from the bases behind that class."""
    passed = after is None
    for current in ancestry(m, ref):
        if isinstance(current, ClassRef):
            if passed:
                value = m.class_body(current).names.get(name)
                if value is not None:
                    return value
            elif current == after:
                passed = True
    return None


def library_model(m: Machine, ref: ClassRef) -> ClassModel | None:
    """The modelled library class that a project class derives from, the nearest one."""
    for current in ancestry(m, ref):
        if isinstance(current, Symbol):
            model = model_of(m, current)
            if model is not None:
                return model
    return None


def model_of(m: Machine, symbol: Symbol) -> ClassModel | None:
    """The model of a library class; of one without a model, that of its nearest modelled ancestor."""
    model = m.api.class_(symbol.name)
    if model is None and m.installed is not None and m.api.function(symbol.name) is None:
        ancestor = m.installed.ancestor(symbol.name)
        model = m.api.class_(ancestor) if ancestor is not None else None
    return model


def is_enumeration(m: Machine, ref: ClassRef) -> bool:
    """Whether a project class derives from one of Python's enumerations."""
    return any(isinstance(base, Symbol) and base.name in _ENUMERATIONS for base in ancestry(m, ref))


_ENUMERATIONS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})


def has_unseen_base(m: Machine, ref: ClassRef) -> bool:
    """Whether the class inherits from something that neither the project nor a model shows."""
    for current in ancestry(m, ref):
        if isinstance(current, ClassRef):
            continue
        if isinstance(current, Symbol) and (
            current.name in _ROOTS or model_of(m, current) is not None or current.name.startswith("typing.")
        ):
            continue
        return True
    return False


def is_instance(m: Machine, value: Value, classes: Value) -> bool | None:
    """`isinstance(value, classes)`, where it is decided."""
    if isinstance(classes, Items):
        answers = [is_instance(m, value, item) for item in classes.items]
        return True if True in answers else (None if None in answers or classes.open else False)
    if isinstance(value, Alternatives):
        found = {is_instance(m, option, classes) for option in alternatives(value)}
        return found.pop() if len(found) == 1 else None
    if isinstance(value, Const):
        return False if isinstance(classes, ClassRef) or _is_modelled(m, classes) else None
    if not isinstance(value, Object):
        return None
    # A part of a model is of whatever class, and so is what a trainer makes of a model: its strategy decides.
    is_some_model = value.kind == "model" and value.definition is None and not {"of", "trainer"}.isdisjoint(value.given)
    if isinstance(classes, ClassRef):
        if value.definition is None:
            return False if value.api is not None and not is_some_model else None
        return True if classes in ancestry(m, value.definition) else _no_unless_unseen(m, value.definition)
    if isinstance(classes, Symbol):
        wanted = m.api.class_(classes.name)
        if wanted is None or m.api.is_one_of_many(classes.name):
            return None
        if value.api is not None and m.api.is_subclass(value.api, wanted.name):
            return True
        if value.definition is not None:
            return _no_unless_unseen(m, value.definition)
        return False if value.api is not None and not is_some_model else None
    return None


def _is_modelled(m: Machine, classes: Value) -> bool:
    return isinstance(classes, Symbol) and m.api.class_(classes.name) is not None


def _no_unless_unseen(m: Machine, ref: ClassRef) -> bool | None:
    return None if has_unseen_base(m, ref) else False


def lacks(m: Machine, owner: Object, name: str) -> bool:
    """Whether a library object surely has no such attribute, for all that people expect it."""
    return owner.definition is None and name == owner.traits.get("lacks") and name not in m.heap.attributes(owner)


_OPAQUE_WRAPPERS = frozenset({"ddp", "dp"})
"""Wrappers that hand no attributes of the model inside on, unless they are `transparent`."""


def is_only_inside(m: Machine, wrapper: Object, name: str) -> bool:
    """Whether a wrapper of a library has no such attribute, and the project's model inside has."""
    if wrapper.definition is not None or wrapper.traits.get("wrapper") not in _OPAQUE_WRAPPERS:
        return False
    model = m.api.class_(wrapper.api) if wrapper.api is not None else None
    if model is None or not model.attributes or wrapper.traits.get("transparent"):
        return False  # what a class adds to the wrapper that it derives from is not known
    if name in m.heap.attributes(wrapper) or m.api.attribute(model, name) or m.api.method(model, name):
        return False
    inside = m.heap.attributes(wrapper).get("module", wrapper.given.get("module"))
    if not isinstance(inside, Object) or inside.definition is None or m.heap.is_escaped(inside):
        return False
    return name in m.heap.attributes(inside) or find_member(m, inside.definition, name) is not None


def decorator_name(value: Value) -> str:
    """The last part of a decorator's name, with or without call."""
    if isinstance(value, Symbol):
        return value.name.rpartition(".")[2]
    if isinstance(value, FunctionRef):
        return value.function.name
    return last_word(value) if isinstance(value, Unknown) else ""
