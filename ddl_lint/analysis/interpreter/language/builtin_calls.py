"""Python's own functions, containers and the process environment."""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence
from dataclasses import replace

from ddl_lint.analysis.interpreter.language import dispatch
from ddl_lint.analysis.interpreter.language.aliases import share
from ddl_lint.analysis.interpreter.language.statements import element_of, emit_iterate, iterator_of, next_of, own_method
from ddl_lint.analysis.interpreter.library.classes import class_of, has_attribute, is_instance
from ddl_lint.analysis.interpreter.library.decorators import MEMOISING
from ddl_lint.analysis.interpreter.library.parsers import table_of
from ddl_lint.analysis.interpreter.machine import Arguments, Frame, Machine, drop_element, text_of
from ddl_lint.analysis.interpreter.models.returned import as_number, as_text, environment_value, is_day, numbers
from ddl_lint.analysis.interpreter.models.tensors import about_tags, is_about, is_input, taken_away, tensors_meant
from ddl_lint.analysis.values.certainty import is_number
from ddl_lint.analysis.values.lattice import alternatives, answer_each, choose, keys_alone, map_alternatives
from ddl_lint.analysis.values.operators import apply, compare, fill_in, without_key
from ddl_lint.analysis.values.tags import tags_of
from ddl_lint.analysis.values.visitors import objects_in, rebuild
from ddl_lint.program import code
from ddl_lint.program.tags import HASHED, NUMBER, SIZE, TIME, TagKind
from ddl_lint.program.values import (
    FALSE,
    NONE,
    TRUE,
    Alternatives,
    Apply,
    Bound,
    ClassRef,
    Const,
    Fact,
    Flag,
    FunctionRef,
    Items,
    ModuleRef,
    Object,
    Setting,
    Symbol,
    Table,
    Unknown,
    Value,
)
from ddl_lint.source.span import Location

NAMES = frozenset(dir(builtins))
"""Names that every module sees."""

_ENVIRONMENT = "os.environ"
_WRAPPERS = frozenset({"enumerate", "zip", "reversed", "islice", "cycle", "chain", "count"})
_PREFIX_METHODS = frozenset({"removeprefix", "replace", "startswith", "lstrip", "partition", "split"})
_TEXT_METHODS = frozenset(
    {"format", "join", "replace", "removeprefix", "strip", "lstrip", "rstrip", "lower", "upper", "split", "zfill",
     "rjust", "ljust"}
)  # fmt: skip
_EXISTS = frozenset({"exists", "is_file", "is_dir"})
_SPLITS = frozenset({"rsplit", "rpartition"})
_DOT = Const(".")
_COMPUTED = frozenset({"lower", "upper", "strip", "lstrip", "rstrip", "casefold", "startswith", "endswith"})
"""Methods of texts whose results are computed where the text is known: programs write names in several ways."""

_LONGEST_COMPUTED = 1000

_TEXT_QUESTIONS = frozenset({"startswith", "endswith", "isdigit", "isnumeric", "isalpha", "isspace", "isupper"})
_FIELDS = frozenset({"dataclasses.field", "attrs.field", "attr.field", "attr.ib", "attr.attrib"})
"""What describes a field of a class whose `__init__` is made of its fields."""

LIST_CHANGES = frozenset({"append", "extend", "insert", "remove", "pop", "clear"})
"""Methods of a list that change its length."""

EXITS = frozenset({"sys.exit", "builtins.exit", "builtins.quit", "os._exit", "os.abort"})
"""Calls that do not come back."""

QUESTIONS = frozenset({"builtins.input"})
"""Calls that somebody must answer."""


def builtin(m: Machine, frame: Frame, name: str, arguments: Arguments, location: Location) -> Value | None:
    """The value of a call of Python's own functions; None when `name` is none that we look into."""
    module, _, last = name.rpartition(".")
    if module == "itertools" and last in _WRAPPERS:
        return apply(last, *(arguments.positional if last == "islice" else arguments.positional[:1]))
    if module == "math" and last in ("ceil", "floor") and arguments.positional:
        return apply(last, arguments.positional[0])
    if name == "functools.partial" and arguments.positional:
        return Bound(arguments.positional[0], tuple(arguments.positional[1:]), tuple(arguments.keywords))
    if name in _FIELDS:
        return Object(
            "field", location, given=dict([*zip(("default",), arguments.positional, strict=False), *arguments.keywords])
        )
    if name in ("collections.namedtuple", "typing.NamedTuple"):
        fields = _field_names(arguments)
        return Bound(Symbol(_RECORD), fields, tuple(arguments.keywords)) if fields else None
    if name == _RECORD:
        return _record(m, arguments, location)
    if name == "functools.wraps":
        return Symbol("functools.wraps.decorator")
    if name == "functools.wraps.decorator" and arguments.positional:
        return arguments.positional[0]
    if name in MEMOISING:
        function = arguments.positional[0] if arguments.positional else None
        if not isinstance(function, FunctionRef):
            return Symbol("functools.cache")  # `@lru_cache(maxsize=8)`
        m.state.write(m.memoised, function.function, frame.path)
        return function
    if name in ("copy.copy", "copy.deepcopy") and arguments.positional:
        return _copy(m, arguments.positional[0], location, deep=last == "deepcopy")
    if name == "importlib.import_module":
        return dispatch.imported_by_name(m, frame, arguments, location)
    if name == "collections.OrderedDict":
        return _dict(m, frame, arguments, location)
    if name == "collections.defaultdict":
        held = _dict(m, frame, replace(arguments, positional=arguments.positional[1:]), location)
        return Table(held.items, open=True) if isinstance(held, Table) else held
    if module != "builtins":
        return None
    handler = _BUILTINS.get(last)
    return handler(m, frame, arguments, location) if handler is not None else None


_RECORD = "collections.namedtuple.record"
"""The call of what `namedtuple` returns, with the names of the fields before the arguments."""


def _field_names(arguments: Arguments) -> tuple[Const, ...]:
    """The fields of a named tuple, with their number first; nothing where they cannot be seen."""
    given = arguments.positional[1] if len(arguments.positional) > 1 else dict(arguments.keywords).get("field_names")
    text = text_of(given) if given is not None else None
    if text is not None:
        names: list[str | None] = list(text.replace(",", " ").split())
    elif isinstance(given, Items) and not given.open:
        firsts = (part.items[0] if isinstance(part, Items) and part.items else part for part in given.items)
        names = [text_of(part) for part in firsts]
    else:
        return ()
    seen = tuple(Const(name) for name in names if name is not None)
    return (Const(len(seen)), *seen) if len(seen) == len(names) else ()


def _record(m: Machine, arguments: Arguments, location: Location) -> Value:
    """A named tuple: what it was made with, by the names of its fields."""
    (count, *values) = arguments.positional
    if not isinstance(count, Const) or arguments.hides_some:
        return Unknown(location)
    names, values = [text_of(name) or "" for name in values[: count.value]], values[count.value :]
    made = Object("namespace", location)
    keywords = dict(arguments.keywords)
    defaults = keywords.get("defaults")
    ends = list(defaults.items) if isinstance(defaults, Items) else []
    for name, value in (
        *zip(names[len(names) - len(ends) :], ends, strict=False),
        *zip(names, values, strict=False),
        *((name, value) for name, value in arguments.keywords if name in names),
    ):
        m.heap.store(made, name, value)
    return made


def _copy(m: Machine, value: Value, location: Location, *, deep: bool) -> Value:
    """Another object that is made of the same, or with `deep` of copies of that: a model with layers of its own."""
    copies: dict[Object, Object] = {}

    def copied(value: Value) -> Value:
        if isinstance(value, Items):
            return rebuild(value, copied)
        return map_alternatives(value, of_object)

    def of_object(value: Value) -> Value:
        if isinstance(value, Table):
            return rebuild(value, copied if deep else _same)
        if not isinstance(value, Object):
            return value
        if value not in copies:
            tags = m.tags_of(value)
            copies[value] = made = Object(
                value.kind, location, value.api, value.definition, traits=dict(value.traits), tags=tags
            )
            inside = copied if deep and value.kind in _COPIED else _same
            m.run_state.being_made.add(made)
            m.complete(made, {name: inside(part) for name, part in value.given.items()})
            m.run_state.being_made.discard(made)
            m.heap.begin(made, {name: inside(part) for name, part in m.heap.attributes(value).items()})
            if m.heap.is_escaped(value):
                m.heap.set(made, Fact.ESCAPED, True)
        return copies[value]

    return map_alternatives(value, of_object)


_COPIED = frozenset({"model", "parameter"})
"""What holds others of its own, so that a deep copy has copies of those."""


def _same(value: Value) -> Value:
    return value


def _first(arguments: Arguments) -> Value | None:
    return arguments.positional[0] if arguments.positional else None


def _int(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    value = _first(arguments)
    return as_number(_value_of(m, value, location)) if value is not None else Const(0)


def _float(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    value = _first(arguments)
    return _value_of(m, value, location) if value is not None else Const(0.0)


def _value_of(m: Machine, value: Value, location: Location) -> Value:
    """A number that was asked of what may be a tensor."""
    if isinstance(value, Object) and value.kind == "tensor":
        return Unknown(location, m.tags_of(value) | {NUMBER})
    if isinstance(value, Unknown) and is_input(value, m.heap):
        return Unknown(value.origin, value.tags | {NUMBER})
    return value


def _str(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    value = _first(arguments)
    return map_alternatives(value, as_text) if value is not None else Const("")


def _bool(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    value = _first(arguments)
    if value is None:
        return FALSE
    truth = m.truth(value)
    return value if truth is None or not isinstance(value, Const) else (TRUE if truth else FALSE)


def _len(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    value = _first(arguments)
    if isinstance(value, Items) and not value.open:
        return Const(len(value.items))
    if isinstance(value, Const) and isinstance(value.value, (str, bytes)):
        return Const(len(value.value))
    return apply("len", keys_alone(value)) if value is not None else None


def _hash(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    value = _first(arguments)
    if value is None or not any(_is_text(part) for part in (value, *(value.items if isinstance(value, Items) else ()))):
        return None
    return Unknown(("hash", value), tags_of(value) | {HASHED})


def _is_text(value: Value) -> bool:
    if isinstance(value, Setting):
        return value.default is not None and _is_text(value.default)
    if isinstance(value, Apply):
        return value.operator == "text" or (value.operator == "+" and any(map(_is_text, value.operands)))
    return isinstance(value, Const) and isinstance(value.value, str)


def _wrap(operator: str):
    def call(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
        return apply(operator, *arguments.positional) if arguments.positional else None

    return call


def _range(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    return numbers(m, frame, arguments.positional, location)


def _enumerate(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    value = _first(arguments)
    if value is None:
        return None
    if isinstance(value, Items) and not value.open and len(value.items) <= 4:
        return Items("list", tuple(Items("tuple", (Const(i), item)) for i, item in enumerate(value.items)))
    return map_alternatives(value, lambda option: apply("enumerate", option))


def _zip(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    lists = [value for value in arguments.positional if isinstance(value, Items) and not value.open]
    if lists and len(lists) == len(arguments.positional) and len(lists[0].items) <= 4 and not arguments.star:
        count = min(len(part.items) for part in lists)
        rows = (tuple(part.items[index] for part in lists) for index in range(count))
        return Items("list", tuple(Items("tuple", row) for row in rows))
    return apply("zip", *arguments.positional) if arguments.positional else None


def _list(kind: str, operator: str | None = None):
    def call(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
        value = _first(arguments)
        if value is None:
            return Items(kind, ())  # type: ignore[arg-type]
        if isinstance(value, Items):
            return Items(kind, value.items, value.open)  # type: ignore[arg-type]
        _consume(m, frame, value, location)
        return apply(operator or kind, keys_alone(value))

    return call


def _consume(m: Machine, frame: Frame, value: Value, location: Location) -> None:
    """`list(x)`, `next(x)`: the iteration happens here."""
    emit_iterate(m, frame, value, location)
    for item in objects_in(value, deep=False):
        if item in m.generators:
            function, arguments = m.generators[item]
            if not m.is_inside(function.function):
                m.invoke(frame, function, arguments, location, yielded=drop_element)


def _dict(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    pairs: list[tuple[Value, Value]] = []
    opened = arguments.hides_some
    base = _first(arguments)
    if isinstance(base, Table):
        pairs.extend(base.items)
        opened = opened or base.open
    elif isinstance(base, Items):
        couples = [item.items for item in base.items if isinstance(item, Items) and len(item.items) == 2]
        pairs.extend((couple[0], couple[1]) for couple in couples)
        opened = opened or base.open or len(couples) < len(base.items)
    elif base is not None:
        opened = True
    pairs.extend((Const(name), value) for name, value in arguments.keywords)
    return Table(tuple(pairs), opened)


def _iter(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    value = _first(arguments)
    if value is not None and len(arguments.positional) == 1:
        method = own_method(m, value, "__iter__")
        if method is not None and method.function.is_generator:
            return m.invoke(frame, method, Arguments(), location)
        value = iterator_of(m, frame, value, location)
    if value is not None:
        emit_iterate(m, frame, value, location)
    if isinstance(value, Object) and value.kind == "loader":
        return Object("iterator", location, given={"iterable": value})
    return value


def _next(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    value = _first(arguments)
    if value is None:
        return None
    if own_method(m, value, "__next__") is not None:
        return next_of(m, frame, value, location)
    options = alternatives(value)
    known = [each for each in map(_iterable, options) if each is not None]
    if known and all(_iterable(each) is not None or each == NONE or isinstance(each, Unknown) for each in options):
        iterable = choose([(frozenset(), each) for each in known])
        m.emit(frame, "next_element", location, {"iterable": iterable, "iterator": value})
        return element_of(m, iterable, location)  # what an earlier iteration has made goes through the same
    _consume(m, frame, value, location)
    return element_of(m, value, location)


def _iterable(iterator: Value) -> Value | None:
    """What an iterator goes through."""
    if not isinstance(iterator, Object) or iterator.kind != "iterator":
        return None
    return iterator.given.get("iterable")


def _getattr(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    if len(arguments.positional) < 2:
        return None
    chosen = arguments.positional[1]
    return map_alternatives(chosen, lambda name: _attribute_named(m, frame, arguments, name, location))


def _attribute_named(m: Machine, frame: Frame, arguments: Arguments, chosen: Value, location: Location) -> Value:
    """`getattr(owner, chosen)`, with the other arguments of the call."""
    name = text_of(chosen)
    if name is None:
        return _chosen_by_name(m, arguments.positional[0], chosen, location)

    def read(owner: Value) -> Value:
        if len(arguments.positional) > 2 and has_attribute(m, owner, name) is False:
            return arguments.positional[2]
        return m.attribute(frame, owner, name, location)

    return map_alternatives(arguments.positional[0], read)


def _chosen_by_name(m: Machine, owner: Value, name: Value, location: Location) -> Value:
    """`getattr(module, "setup_" + kind)`: one of the functions of the module whose names fit."""
    pieces = name.operands if isinstance(name, Apply) and name.operator in ("text", "+") else ()
    known = [part.value if isinstance(part, Const) and isinstance(part.value, str) else None for part in pieces]
    if isinstance(owner, ModuleRef) and not any(known):
        return dispatch.named(owner, name, location)
    if isinstance(owner, Object) and owner.definition is not None and dispatch.is_chosen_by_user(name):
        return dispatch.named(owner, name, location)
    pattern = re.compile("".join(".*" if part is None else re.escape(part) for part in known))
    if isinstance(owner, ModuleRef):
        names = dict(m.module_names(owner.name))
    elif isinstance(owner, Object) and any(known):
        names = dispatch.methods_by_name(m, owner)
    else:
        return Unknown(location, m.tags_of(owner))
    found = [
        (frozenset({(apply("==", name, Const(key)), True)}), value)
        for key, value in names.items()
        if isinstance(key, str) and pattern.fullmatch(key) and isinstance(value, (FunctionRef, ClassRef))
    ]
    if 0 < len(found) <= 4:
        return choose(found)
    if not isinstance(owner, ModuleRef):
        return Unknown(location, m.tags_of(owner))
    return Unknown((owner.name, "".join(part or "" for part in known)))


def _setattr(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    if len(arguments.positional) == 3:
        owner, key, value = arguments.positional
        name = text_of(key)
        if isinstance(owner, Object) and name is not None:
            m.heap.store(owner, name, value)
        elif isinstance(owner, Object):
            m.heap.set(owner, Fact.ESCAPED, True)
        elif isinstance(owner, Table):
            share(m, frame, [(owner, owner.with_item(key, value) if name is not None else Table((), open=True))])
        else:
            for made in objects_in(value):  # whoever it is may do with it what cannot be seen
                m.heap.set(made, Fact.ESCAPED, True)
    return NONE


def _hasattr(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    if len(arguments.positional) != 2:
        return None
    name = text_of(arguments.positional[1])
    if name is None:
        return None

    def decided(owner: Value) -> Value:
        known = has_attribute(m, owner, name)
        return apply("hasattr", owner, Const(name)) if known is None else TRUE if known else FALSE

    return answer_each(arguments.positional[0], decided)


def _isinstance(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    if len(arguments.positional) != 2:
        return None

    def decided(option: Value) -> Value:
        known = is_instance(m, option, arguments.positional[1])
        if known is None:
            return apply("isinstance", option, arguments.positional[1])
        return TRUE if known else FALSE

    return answer_each(arguments.positional[0], decided)


def _super(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    receiver = arguments.positional[1] if len(arguments.positional) > 1 else frame.receiver
    if receiver is None:
        return Unknown(location)
    owner = arguments.positional[0] if arguments.positional else frame.owner
    definition = owner if isinstance(owner, ClassRef) else None
    return Object("super", location, definition=definition, given={"receiver": receiver})


def _filter(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    """Some elements of a sequence of objects, as a comprehension with a condition gives them."""
    if len(arguments.positional) != 2:
        return None
    element = element_of(m, arguments.positional[1], location)
    return Items("list", (element,), open=True) if objects_in(element, deep=False) else None


def _print(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    values = Items("tuple", tuple(arguments.positional))
    if any(tag.kind in (TagKind.PARTIAL, TagKind.SHARE) for tag in m.tags_of(values)):
        m.emit(frame, "print", location, {"values": values})
    return NONE


def _type(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    value = _first(arguments)
    return None if value is None else class_of(value)


def _vars(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    value = _first(arguments)
    if value is None:
        return _locals(m, frame, arguments, location)
    return dispatch.names_of(value, location) if isinstance(value, ModuleRef) else value


def _import(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    """`__import__("pkg.savers", fromlist=["Saver"])`: the module itself, as names are wanted from it."""
    names = next((value for name, value in arguments.keywords if name == "fromlist"), NONE)
    if len(arguments.positional) != 1 or not isinstance(names, Items) or not names.items:
        return None
    return dispatch.imported_by_name(m, frame, arguments, location)


def _globals(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    return dispatch.names_of(ModuleRef(frame.module), location)


def _locals(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    if frame.function is None:
        return dispatch.names_of(ModuleRef(frame.module), location)
    return Table(tuple((Const(name), value) for name, value in frame.cells.names.items()))


def _eval(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    text = _first(arguments)
    return dispatch.evaluate_text(m, frame, text, location) if text is not None else None


def _exec(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    """Code that comes as a string may set any constant of the module anew: each is what the user says from then on."""
    if len(arguments.positional) == 1 and frame.function is None:
        for name, value in list(frame.cells.names.items()):
            if isinstance(value, Const) and not name.startswith("_") and value != NONE:
                m.state.write(frame.cells.names, name, Setting(name, "argument", value))
    return NONE


_BUILTINS = {
    "exec": _exec,
    "int": _int,
    "float": _float,
    "str": _str,
    "bool": _bool,
    "len": _len,
    "hash": _hash,
    "range": _range,
    "zip": _zip,
    "reversed": _wrap("reversed"),
    "sorted": _list("list", "sorted"),
    "enumerate": _enumerate,
    "filter": _filter,
    "list": _list("list"),
    "tuple": _list("tuple"),
    "set": _list("set"),
    "dict": _dict,
    "iter": _iter,
    "next": _next,
    "getattr": _getattr,
    "setattr": _setattr,
    "hasattr": _hasattr,
    "isinstance": _isinstance,
    "super": _super,
    "print": _print,
    "type": _type,
    "vars": _vars,
    "__import__": _import,
    "globals": _globals,
    "locals": _locals,
    "eval": _eval,
    "min": _wrap("min"),
    "max": _wrap("max"),
}


# --- containers ---------------------------------------------------------------------------------------------------


def container_method(
    m: Machine, frame: Frame, node: code.Attribute, receiver: Items | Table, arguments: Arguments, location: Location
) -> Value:
    """A method of a list, tuple, set or dict; one that changes it rebinds what it was read from."""
    name = node.attr
    first = _first(arguments)
    if isinstance(receiver, Items):
        if name in ("append", "add") and first is not None:
            m.assign(frame, node.value, Items(receiver.kind, (*receiver.items, first), receiver.open))
        elif name == "extend" and isinstance(first, Items):
            m.assign(frame, node.value, Items(receiver.kind, receiver.items + first.items, receiver.open or first.open))
        elif name == "extend" and first is not None:
            m.assign(frame, node.value, Items(receiver.kind, (*receiver.items, apply("elements", first)), open=True))
        elif name in ("extend", "insert", "remove", "pop", "clear", "update", "sort", "reverse"):
            m.assign(frame, node.value, Items(receiver.kind, receiver.items, open=True))
            if name == "pop" and receiver.items:
                return choose([(frozenset(), item) for item in receiver.items])
            return NONE if name != "pop" else Unknown(location)
        return NONE if name in ("append", "add", "extend") else Unknown(location, m.tags_of(receiver))
    if name == "get" and first is not None:
        for key, value in reversed(receiver.items):
            if key == first:
                return value
        otherwise = arguments.positional[1:2] or [NONE]
        if receiver.is_told and isinstance(first, Const):
            return otherwise[0]
        values = [value for _, value in receiver.items]
        if values and all(isinstance(each, (FunctionRef, ClassRef, Bound)) for each in values):
            return choose([(frozenset(), value) for value in (*values, *(each for each in otherwise if each != NONE))])
        return Unknown(location)
    if name == "items" and not receiver.open and len(receiver.items) <= 4:
        return Items("list", tuple(Items("tuple", pair) for pair in receiver.items))
    if name in ("keys", "values") and not receiver.open:
        index = 0 if name == "keys" else 1
        return Items("list", tuple(pair[index] for pair in receiver.items))
    if name in ("items", "values") and receiver.items:
        joined = choose([(frozenset(), value) for _, value in receiver.items])
        element: Value = Items("tuple", (Unknown((location, "key")), joined)) if name == "items" else joined
        return Items("list", (element,), open=True)
    if name == "update" and isinstance(first, Object) and first.kind == "namespace":
        told = table_of(m, first)
        if told is not None:
            arguments = replace(arguments, positional=[told])
    changed = changed_table(receiver, name, arguments)
    if changed is not None:
        m.assign(frame, node.value, changed)
        share(m, frame, [(receiver, changed)])
        return table_gives(receiver, name, arguments, location)
    if name == "copy":
        return Table(receiver.items, receiver.open)
    return Unknown(location, m.tags_of(keys_alone(receiver) if name == "keys" else receiver))


def changed_table(table: Table, name: str, arguments: Arguments) -> Table | None:
    """What a method leaves of a dict; None when it changes nothing."""
    first = _first(arguments)
    if name == "update":
        pairs = dict(table.items)
        opened = table.open or arguments.hides_some
        if isinstance(first, Table):
            pairs.update(first.items)
            opened = opened or first.open
        elif first is not None:
            opened = True
        pairs.update((Const(key), value) for key, value in arguments.keywords)
        return Table(tuple(pairs.items()), opened)
    if name == "pop" and first is not None:
        return without_key(table, first)
    if name == "setdefault":
        return _with_default(table, arguments)
    return Table((), open=name == "popitem") if name in ("clear", "popitem") else None


def _with_default(table: Table, arguments: Arguments) -> Table:
    """A dict after `setdefault`. No configuration has an object, so a default that is one counts also where the other
    items cannot be seen.
    """
    given = arguments.positional
    if len(given) != 2 or not isinstance(given[0], Const):
        return Table(table.items, open=True)
    default = given[1]
    if table.open and isinstance(default, Items) and default.kind == "list" and not default.items:
        default = Items("list", (), open=True)  # to which something is added now
    elif table.open and not objects_in(default, deep=False):
        return Table(table.items, open=True)
    return table if any(key == given[0] for key, _ in table.items) else table.with_item(given[0], default)


def table_gives(table: Table, name: str, arguments: Arguments, location: Location) -> Value:
    """What a method that changes a dict gives."""
    first = _first(arguments)
    if name == "pop" and first is not None:
        return next((value for key, value in reversed(table.items) if key == first), Unknown(location))
    if name == "setdefault" and first is not None:
        held = next((value for key, value in _with_default(table, arguments).items if key == first), None)
        return held if held is not None else Unknown(location, tags_of(table))
    return NONE if name == "update" else Unknown(location, tags_of(table))


def format_text(m: Machine, template: Const, arguments: Arguments, location: Location) -> Value:
    """`"...{}...".format(...)`."""
    hidden = arguments.keywords or arguments.hides_some or not isinstance(template.value, str)
    text = None if hidden else fill_in(template.value.split("{}"), arguments.positional)
    if isinstance(text, Apply):
        return replace(text, location=location)
    return text or Unknown(location, m.tags_of_all(arguments.values()))


def unseen_method(
    m: Machine,
    frame: Frame,
    receiver: Unknown | Apply,
    name: str,
    function: Value,
    arguments: Arguments,
    location: Location,
) -> Value:
    """A method of a value that we know nothing of. Some names say enough: `loss.backward()`, `x.cuda()`."""
    if isinstance(receiver, Unknown) and name in m.api.tensor_names("conversion_methods"):
        is_none = compare("is", receiver, NONE)
        if is_none not in m.run_state.facts:
            m.learn(is_none, False)  # None has no methods
    meaning = m.unseen_methods.get(name)
    if meaning is not None:
        return m.call(frame, Symbol(meaning, receiver), arguments, location)
    if name == "strftime" and is_day(_first(arguments)):
        return Unknown(location, m.tags_of(receiver) - {TIME})
    if name in _PREFIX_METHODS and text_of(_first(arguments)) is not None:
        m.emit(frame, "strip_prefix", location, {"state": receiver, "prefix": arguments.positional[0]})
    text = text_method(receiver, name, arguments)
    if text is not None:
        return text
    if name in _EXISTS and isinstance(receiver, Apply) and receiver.operator == "/":
        return apply("exists", receiver)
    if (method := _method_of_path(m, receiver, name)) is not None:
        return m.call(frame, method, arguments, location)
    if name in m.api.tensor_names("selection_methods"):
        return apply("chosen", receiver)
    if name in m.api.tensor_names("test_methods"):
        return apply("asks", receiver)
    if name in m.api.tensor_names("plain_methods"):
        held = m.tags_of(receiver) if is_number(receiver) else m.tags_of(receiver) - {NUMBER, SIZE}
        tags = held | about_tags(m.api, name, method=True)
        origin = receiver.origin if isinstance(receiver, Unknown) and not arguments.values() else None
        return Unknown(location if origin is None else (origin, name), tags)
    result = m.call(frame, function, arguments, location)
    return _of_method(m, frame, receiver, name, arguments, result, location)


def _method_of_path(m: Machine, path: Value, name: str) -> Symbol | None:
    """A method of `folder / name / ...`, which is of the class of the folder."""
    folder = path
    while isinstance(folder, Apply) and folder.operator == "/":
        folder = folder.operands[0]
    if folder is path or not isinstance(folder, Object) or folder.kind != "path" or folder.api is None:
        return None
    model = m.api.class_(folder.api)
    return Symbol(f"{folder.api}.{name}", path) if model is not None and m.api.method(model, name) else None


def _of_method(
    m: Machine,
    frame: Frame,
    receiver: Unknown | Apply,
    name: str,
    arguments: Arguments,
    result: Value,
    location: Location,
) -> Value:
    """The result of a method of what may be a tensor: `x.size(0)` is a number, `x.view(n, -1)` is none."""
    values = arguments.values()
    tensor = next((tensor for value in values for tensor in tensors_meant(value)), None)
    model = m.api.class_(tensor.api) if tensor is not None and tensor.api is not None else None
    method = m.api.method(model, name) if model is not None else None
    if method is not None and method.returns is not None and "combined" in method.returns.attributes:
        for look in m.probes.on_combine:
            look(m, frame, [receiver, *values], location)
    if method is not None and method.event == "place" and result != NONE:
        moved = taken_away(m, method.name.rpartition(".")[0], receiver, values[0], location)
        result = result if moved is receiver else moved
    if not isinstance(result, Unknown):
        return result
    if is_about(m.api, name, method=True):
        return Unknown(result.origin, result.tags | about_tags(m.api, name, method=True))
    if NUMBER in result.tags and not is_number(receiver):
        return Unknown(result.origin, result.tags - {NUMBER, SIZE})
    return result


def text_method(receiver: Value, name: str, arguments: Arguments) -> Value | None:
    """The result of a method that only strings have, or that is asked of a string; None if it may be another one."""
    first = _first(arguments)
    if isinstance(receiver, Const) and not isinstance(receiver.value, str):
        return None
    if name == "split" and first is not None and first != NONE and text_of(first) is None:
        return None  # tensors are split too, into a number of pieces
    if name in _COMPUTED and isinstance(receiver, Const) and not arguments.keywords:
        return _computed(receiver, name, arguments)
    if name in _SPLITS and first == _DOT:
        pieces = _split(receiver, name, arguments)
        if pieces is not None:
            return pieces
    if name in _TEXT_METHODS:
        return apply("text", receiver, *arguments.positional)
    return apply("derived", receiver, *arguments.positional) if name in _TEXT_QUESTIONS else None


def _split(receiver: Value, name: str, arguments: Arguments) -> Value | None:
    """The pieces of a dotted name, such as the path of a class: of one that is known, or that a setting has."""
    if isinstance(receiver, Setting) and receiver.default is not None:
        pieces = _split(receiver.default, name, arguments)
        is_so = apply("==", receiver, receiver.default)
        otherwise = apply("text", receiver, *arguments.positional)
        return pieces and choose([(frozenset({(is_so, True)}), pieces), (frozenset({(is_so, False)}), otherwise)])
    if isinstance(receiver, Alternatives):  # each file that an option may choose has its own
        ways = [(labels, option, _split(option, name, arguments)) for labels, option in receiver.options]
        if all(pieces is None for _, _, pieces in ways):
            return None
        return choose(
            [(labels, found or apply("text", option, *arguments.positional)) for labels, option, found in ways]
        )
    counts = [value.value for value in arguments.positional[1:] if isinstance(value, Const)]
    text = text_of(receiver)
    if text is None or len(text) > _LONGEST_COMPUTED or len(counts) + 1 < len(arguments.values()):
        return None
    found: Sequence[str] = getattr(text, name)(".", *counts)
    return Items("tuple" if "partition" in name else "list", tuple(map(Const, found)))


def _computed(receiver: Const, name: str, arguments: Arguments) -> Value:
    """What a method of a string that is known returns."""
    given = [text_of(value) for value in arguments.positional]
    text = str(receiver.value)
    if arguments.star or None in given or len(text) > _LONGEST_COMPUTED:
        return apply("text" if name in _TEXT_METHODS else "derived", receiver, *arguments.positional)
    try:
        return Const(getattr(text, name)(*given))
    except TypeError:  # the program is wrong there
        return apply("text", receiver, *arguments.positional)


# --- environment --------------------------------------------------------------------------------------------------


def environment_item(m: Machine, frame: Frame, owner: Symbol, index: Value, location: Location) -> Value | None:
    """`os.environ[...]`; None when `owner` is something else."""
    return environment_value(m, frame, index, location) if owner.name == _ENVIRONMENT else None


def set_environment(m: Machine, frame: Frame, owner: Symbol, index: Value, value: Value, location: Location) -> None:
    """`os.environ[...] = value`."""
    if owner.name == _ENVIRONMENT:
        m.emit(frame, "set_environment", location, {"variable": index, "value": value})
        name = text_of(index)
        if name is not None:
            m.state.write(m.environment, name, value)


def environment_call(m: Machine, frame: Frame, name: str, arguments: Arguments, location: Location) -> Value | None:
    """Methods of `os.environ` and `os.getenv`."""
    values = arguments.positional
    keywords = dict(arguments.keywords)
    if name in (f"{_ENVIRONMENT}.get", "os.getenv"):
        variable = values[0] if values else keywords.get("key")
        if variable is None:
            return Unknown(location)
        default = values[1] if len(values) > 1 else keywords.get("default", NONE)
        return environment_value(m, frame, variable, location, default=default)
    if name == f"{_ENVIRONMENT}.setdefault" and len(values) == 2:
        m.emit(frame, "set_environment", location, {"variable": values[0], "value": values[1], "default": TRUE})
        variable = text_of(values[0])
        if (
            variable is not None
            and m.api.conventions.environment.get(variable) is None
            and variable not in m.environment
        ):
            m.state.write(m.environment, variable, Unknown(("environment", variable)))
        return environment_value(m, frame, values[0], location)
    if name == f"{_ENVIRONMENT}.update":
        pairs: list[tuple[Value, Value]] = [(Const(key), value) for key, value in arguments.keywords]
        opened = arguments.hides_some
        if values and isinstance(values[0], Table):
            pairs.extend(values[0].items)
            opened = opened or values[0].open
        elif values:
            opened = True
        for variable, value in pairs:
            set_environment(m, frame, Symbol(_ENVIRONMENT), variable, value, location)
        if opened:
            m.emit(frame, "set_environment", location, {"variable": Unknown(location), "value": Unknown(location)})
        return NONE
    if name in ("os.putenv",) and len(values) == 2:
        set_environment(m, frame, Symbol(_ENVIRONMENT), values[0], values[1], location)
        return NONE
    return None


def contained(m: Machine, left: Value, right: Symbol, sign: str) -> Value:
    """`"RANK" in os.environ`: in the distributed run the launcher's variables are there."""
    name = text_of(left)
    if right.name == _ENVIRONMENT and name is not None:
        present: Value = _is_set(name)
        if name in m.environment or m.api.conventions.environment.get(name) is not None:
            present = Flag("distributed", source="environment")
        return present if sign == "in" else apply("not", present)
    return apply(sign, left, right)


def _is_set(name: str) -> Value:
    """Whether an environment variable is set: something that the user decides."""
    return Unknown(("environment", name, "set"))
