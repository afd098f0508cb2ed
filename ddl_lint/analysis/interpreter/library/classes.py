"""Classes of the project: their bases, members, and the library classes that they derive from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ddl_lint.analysis.interpreter.machine import Machine
from ddl_lint.analysis.syntactic.mentions import mentioned, set_on_self, setters
from ddl_lint.analysis.syntactic.per_file import per_class
from ddl_lint.analysis.values.certainty import last_word
from ddl_lint.analysis.values.lattice import alternatives, answer_each, are_all_labelled, map_alternatives
from ddl_lint.analysis.values.operators import apply, compare
from ddl_lint.frameworks.model import ClassModel
from ddl_lint.program import code
from ddl_lint.program.values import (
    NONE,
    Alternatives,
    Apply,
    Bound,
    ClassRef,
    Const,
    Fact,
    FunctionRef,
    Items,
    Object,
    Symbol,
    Table,
    Unknown,
    Value,
)

_ROOTS = frozenset({"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol", "builtins.Exception"})


def ancestry(m: Machine, ref: ClassRef, but: Collection[Value] = ()) -> Iterator[Value]:
    """The class and its bases, nearest first: project classes as `ClassRef`, others as they were written. Those in
    `but` are left out, and what they derive from.
    """
    seen: set[Value] = set()
    waiting: list[Value] = [ref]
    while waiting:
        current = waiting.pop(0)
        if current in seen or current in but:
            continue
        seen.add(current)
        yield current
        if isinstance(current, ClassRef):
            for base in m.class_body(current).bases:
                waiting.extend(alternatives(base))


def is_abstract(definition: code.Class) -> bool:
    """Whether a class has methods that the classes must define that derive from it."""
    return any(
        isinstance(part, code.Function) and any(_says_abstract(decorator) for decorator in part.decorators)
        for part in definition.body
    )


def _says_abstract(decorator: code.Expression) -> bool:
    name = decorator.id if isinstance(decorator, code.Name) else getattr(decorator, "attr", "")
    return name in ("abstractmethod", "abstractproperty")


def find_member(m: Machine, ref: ClassRef, name: str, *, after: ClassRef | None = None) -> Value | None:
    """A method or class attribute, through project bases; with `after`, only from the bases after that class."""
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
        plain = _PLAIN.get(classes.name) if isinstance(classes, Symbol) else None
        if plain is not None:
            return isinstance(value.value, plain)
        return False if isinstance(classes, ClassRef) or _is_modelled(m, classes) else None
    if isinstance(value, (Items, Table)):
        wanted = m.api.class_(classes.name) if isinstance(classes, Symbol) else None
        return False if wanted is not None and wanted.kind == "tensor" else None
    if not isinstance(value, Object):
        return _is_of_plain_class(value, classes)
    is_some_model = _may_be_any_model(value)
    if isinstance(classes, ClassRef):
        if value.definition is None:
            return False if value.api is not None and not is_some_model else None
        if any(each == classes for each in ancestry(m, value.definition)):
            return True
        return None if value.traits.get("declared") else _no_unless_unseen(m, value.definition)
    if isinstance(classes, Symbol):
        wanted = m.api.class_(classes.name)
        if wanted is None or m.api.is_one_of_many(classes.name):
            return None
        if value.api is not None and m.api.is_subclass(value.api, wanted.name):
            return True
        in_place = _is_wrapped_as(m, value, wanted)
        if in_place is not False:
            return in_place
        if value.traits.get("declared"):
            return None  # of whatever class that derives from the one that is written
        if value.definition is not None:
            return _no_unless_unseen(m, value.definition)
        return False if value.api is not None and not is_some_model else None
    return None


_PLAIN: Mapping[str, type] = {
    f"builtins.{each.__name__}": each for each in (str, int, float, bool, bytes, list, dict, tuple, set)
}
"""The classes of Python of which constants are, or surely are not."""


def _is_of_plain_class(value: Value, classes: Value) -> bool | None:
    """Whether a container, or a function or class of the project, is an instance of a class of Python such as `str`."""
    plain = _PLAIN.get(classes.name) if isinstance(classes, Symbol) else None
    if plain is None:
        return None
    if isinstance(value, (FunctionRef, ClassRef, Bound)):
        return False
    own = dict if isinstance(value, Table) else _CONTAINERS.get(value.kind) if isinstance(value, Items) else None
    return None if own is None else plain is own


_CONTAINERS: Mapping[str, type] = {"list": list, "tuple": tuple, "set": set}


def _is_wrapped_as(m: Machine, value: Object, wanted: ClassModel) -> bool | None:
    """Whether an object was wrapped in place as the objects of a class are; None where it was on some ways."""
    wrapped, wrapper = m.heap.get(value, Fact.WRAPPED), wanted.traits.get("wrapper")
    if wrapped is None or not isinstance(wrapper, str):
        return False
    found = {option == Const(wrapper) for option in alternatives(wrapped)}
    return found.pop() if len(found) == 1 else None


def _may_be_any_model(value: Object) -> bool:
    """A part of a model is of whatever class, and so is what a trainer makes of a model, for its strategy decides, and
    what is a model by its use alone.
    """
    if value.kind != "model" or value.definition is not None:
        return False
    return bool(value.traits.get("unseen_class")) or not {"of", "trainer"}.isdisjoint(value.given)


def class_of(value: Value) -> Value:
    """`type(value)`. Where options of a choice have the same class, it stays open which of them it is."""
    if isinstance(value, Alternatives):
        classes = map_alternatives(value, class_of)
        if isinstance(classes, Alternatives):
            lost = len(classes.options) < len(value.options) or not are_all_labelled(value)
            return Apply("type", (value,)) if lost else classes
        return classes
    if isinstance(value, Object) and not value.traits.get("declared") and not _may_be_any_model(value):
        if value.definition is not None:
            return value.definition
        if value.api is not None:
            return Symbol(value.api)
    return apply("type", value)


def compare_classes(m: Machine, sign: str, left: Value, right: Value) -> Value | None:
    """`type(model) is Net`, `type(model) in (DataParallel, DDP)`; None where no classes are compared."""
    if sign not in _SAME and sign not in _DIFFERENT:
        return None
    subject = _typed(left)
    if not any(_is_class(m, option) for option in alternatives(left)) and subject is None:
        return None

    def decided(option: Value) -> Value:
        listed = sign in ("in", "not in")
        if not _is_class(m, option) or (listed and (not isinstance(right, Items) or right.open)):
            return compare(sign, option, right)
        others = right.items if listed and isinstance(right, Items) else (right,)
        answers = [_is_same_class(m, option, other) for other in others]
        if None in answers and True not in answers:
            return compare(sign, option, right)
        return Const((True in answers) is (sign in _SAME))

    if subject is not None:
        return answer_each(subject, lambda option: decided(class_of(option)))
    return map_alternatives(left, decided)


def _typed(value: Value) -> Alternatives | None:
    """The choice of which a value is the type."""
    held = value.operands[0] if isinstance(value, Apply) and value.operator == "type" else None
    return held if isinstance(held, Alternatives) else None


_SAME = frozenset({"==", "is", "in"})
_DIFFERENT = frozenset({"!=", "is not", "not in"})


def _is_class(m: Machine, value: Value) -> bool:
    return isinstance(value, ClassRef) or (isinstance(value, Symbol) and _is_modelled(m, value))


def _is_same_class(m: Machine, one: Value, other: Value) -> bool | None:
    if not _is_class(m, one) or not _is_class(m, other):
        return None
    if isinstance(one, Symbol) and isinstance(other, Symbol):
        models = m.api.class_(one.name), m.api.class_(other.name)
        some = m.api.is_one_of_many(one.name) or m.api.is_one_of_many(other.name)
        return None if some or None in models else models[0] is models[1]
    return one == other


def _is_modelled(m: Machine, classes: Value) -> bool:
    return isinstance(classes, Symbol) and m.api.class_(classes.name) is not None


def _no_unless_unseen(m: Machine, ref: ClassRef) -> bool | None:
    return None if has_unseen_base(m, ref) else False


def lacks(m: Machine, owner: Object, name: str) -> bool:
    """Whether a library object surely has no such attribute, for all that people expect it."""
    return owner.definition is None and name == owner.traits.get("lacks") and name not in m.heap.attributes(owner)


def has_attribute(m: Machine, owner: Value, name: str) -> bool | None:
    """Whether a value has an attribute, where it is decided."""
    if not isinstance(owner, Object):
        return None
    if name in m.heap.attributes(owner):
        return None if unset(owner, name) in alternatives(m.heap.attributes(owner)[name]) else True
    if lacks(m, owner, name):
        return False
    model = m.api.class_(owner.api) if owner.api is not None else None
    if model is not None and (m.api.attribute(model, name) is not None or m.api.method(model, name) is not None):
        return True
    if name == "module" and owner.kind == "model" and not {"wrapper", "may_be_wrapped"} & owner.traits.keys():
        return False  # the question is whether the model is wrapped
    ref = owner.definition
    if ref is not None and model is None and _is_seen_whole(m, owner, ref) and _is_plain(m, ref, name):
        return False
    return None


def _is_seen_whole(m: Machine, owner: Object, ref: ClassRef) -> bool:
    """Whether all that has made an object of the project, and may have set attributes of it, was followed."""
    return owner not in m.run_state.being_made and not m.heap.is_escaped(owner) and not has_unseen_base(m, ref)


def is_some_model(m: Machine, value: Value) -> bool:
    """Whether a value is a model: one that is known, or something unknown that was asked for its parameters."""
    if isinstance(value, Unknown):
        names = m.api.conventions.names.get("model_methods", ())
        return value.origin is not None and any((value.origin, name) in m.unknown_attributes for name in names)
    return isinstance(value, Object) and value.kind == "model"


def hidden_attribute(m: Machine, wrapper: Object, name: str) -> bool | None:
    """Whether the model inside a wrapper surely has an attribute that the wrapper has not in a job of several
    processes; None where the wrapper has it, or the model has not.

    Wrappers are the objects of a library's class that lists all its attributes, those of the project's classes that
    derive from one, and those of the project's modules that hold another module.
    """
    if name.startswith("__") or name in m.heap.attributes(wrapper):
        return None
    model = m.api.class_(wrapper.api) if wrapper.api is not None else None
    if model is None or m.api.attribute(model, name) or m.api.method(model, name):
        return None
    if "trainer" in wrapper.given and name in m.api.words.wrapping:
        return None  # the program knows that the trainer makes one of those
    hides = bool(wrapper.traits.get("hides_attributes"))
    if wrapper.definition is None:
        if not hides or not model.attributes:
            return None  # what a class adds to the wrapper that it derives from is not known
    elif (
        wrapper in m.run_state.being_made
        or wrapper.traits.get("unseen_base")
        or not _is_plain(m, wrapper.definition, name)
    ):
        return None
    inside = m.heap.attributes(wrapper).get("module", wrapper.given.get("module"))
    options = [option for option in alternatives(inside) if option != NONE] if inside is not None else []
    if any(_surely_has(m, option, name) for option in options):
        return True
    may = hides and not name.startswith("_") and bool(options) and all(_may_have(m, option) for option in options)
    return False if may else None


def _is_plain(m: Machine, ref: ClassRef, name: str) -> bool:
    """Whether a class surely has no such member: no code sets it, or attributes by their names, or hands others on."""
    if any(find_member(m, ref, each) is not None for each in (name, "__getattr__", "__getattribute__")):
        return False
    bodies = [current.definition for current in ancestry(m, ref) if isinstance(current, ClassRef)]
    return not any(name in set_on_self(body) or _sets_by_name(body) for body in bodies)


def unset(owner: Object, name: str) -> Value:
    """What the state says an attribute is on the ways that have not assigned it."""
    return Unknown((owner, name))


def is_set_once(m: Machine, owner: Object, name: str) -> bool:
    """Whether an object of the project surely has an attribute only where one method of its class has assigned it."""
    ref = owner.definition
    if ref is None or has_unseen_base(m, ref) or m.heap.is_escaped(owner):
        return False
    model = library_model(m, ref)
    if model is not None and (m.api.attribute(model, name) or m.api.method(model, name)):
        return False
    if any(find_member(m, ref, each) is not None for each in (name, "__getattr__", "__getattribute__")):
        return False
    bodies = [current.definition for current in ancestry(m, ref) if isinstance(current, ClassRef)]
    return sum(setters(body).get(name, 0) for body in bodies) == 1 and not any(map(_sets_by_name, bodies))


@per_class
def _sets_by_name(definition: code.Class) -> bool:
    """Whether the methods of a class may set attributes whose names are not written there."""
    return not _SETS_BY_NAME.isdisjoint(mentioned(definition))


_SETS_BY_NAME = frozenset(
    {"setattr", "__dict__", "__setattr__", "register_buffer", "register_parameter", "add_module", "register_module"}
)


def _surely_has(m: Machine, option: Value, name: str) -> bool:
    """Whether a model of the project has an attribute."""
    if not isinstance(option, Object) or option.definition is None or option.kind != "model":
        return False
    if name in m.heap.attributes(option) or find_member(m, option.definition, name) is not None:
        return True
    return option.traits.get("declared", False) and _is_set_inside(m, option.definition, name)


def _may_have(m: Machine, option: Value) -> bool:
    """Whether it is unknown which attributes a model has."""
    if isinstance(option, Object):
        return option.kind == "model" and (option.definition is None or has_unseen_base(m, option.definition))
    return isinstance(option, (Unknown, Apply))


def _is_set_inside(m: Machine, ref: ClassRef, name: str) -> bool:
    """Whether a method of a class, or of one that it derives from, assigns an attribute of its object."""
    return any(
        isinstance(current, ClassRef) and name in set_on_self(current.definition) for current in ancestry(m, ref)
    )


def decorator_name(value: Value) -> str:
    """The last part of a decorator's name, with or without call."""
    if isinstance(value, Symbol):
        return value.name.rpartition(".")[2]
    if isinstance(value, FunctionRef):
        return value.function.name
    return last_word(value) if isinstance(value, Unknown) else ""


_FIELDS_OF_CLASS = frozenset({"dataclass", "define", "frozen"})
"""Decorators of classes whose `__init__` is made of their fields."""


def has_fields(m: Machine, ref: ClassRef) -> bool:
    """Whether the constructor of a class is made of its fields."""
    return any(decorator_name(decorator) in _FIELDS_OF_CLASS for decorator in m.class_body(ref).decorators)
