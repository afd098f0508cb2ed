"""Dicts whose items are attributes, too: classes of the project that derive from `dict` and say so in their body.

An object of such a class is a namespace: what it is made with, and what `update` brings, are its attributes.
"""

from __future__ import annotations

from ddl_lint.analysis.interpreter.library.classes import ancestry, find_member
from ddl_lint.analysis.interpreter.library.parsers import table_of
from ddl_lint.analysis.interpreter.machine import Arguments, Machine, text_of
from ddl_lint.analysis.syntactic.per_file import per_class
from ddl_lint.program import code
from ddl_lint.program.values import ClassRef, Const, FunctionRef, Object, Setting, Symbol, Table, Unknown
from ddl_lint.source.span import Location

_DICTS = frozenset({"builtins.dict", "collections.OrderedDict", "typing.Dict"})
_READERS = frozenset({"__getitem__", "get"})


def is_attribute_dict(m: Machine, ref: ClassRef) -> bool:
    """Whether the objects of a class are dicts that are made as dicts are, and give their items as attributes."""
    if not any(isinstance(base, Symbol) and base.name in _DICTS for base in ancestry(m, ref)):
        return False
    init = find_member(m, ref, "__init__")
    passed = init.function.parameters[1:] if isinstance(init, FunctionRef) else []
    if any(each.kind in ("positional", "keyword") for each in passed):
        return False  # what it does with them is its own business
    reader = find_member(m, ref, "__getattr__")
    if isinstance(reader, Symbol):
        return reader.name.rpartition(".")[2] in _READERS
    bodies = [each.definition for each in ancestry(m, ref) if isinstance(each, ClassRef)]
    return isinstance(reader, FunctionRef) or any(map(_is_its_own_dict, bodies))


def fill(m: Machine, made: Object, arguments: Arguments, location: Location) -> None:
    """Let a dict have what it is made with, or what `update` is given."""
    first = arguments.positional[0] if arguments.positional else None
    options = isinstance(first, Object) and first.kind == "namespace"
    told = table_of(m, first) if isinstance(first, Object) and options else first
    pairs = list(told.items) if isinstance(told, Table) else []
    if arguments.hides_some or (first is not None and (not isinstance(told, Table) or told.open)):
        for name, held in list(m.heap.attributes(made).items()):  # each may have been given another value
            unsure = Setting(name, "argument", held) if options else Unknown((location, name))
            m.heap.store(made, name, unsure)
    for key, value in (*pairs, *((Const(name), value) for name, value in arguments.keywords)):
        name = text_of(key)
        if name is not None:
            m.heap.store(made, name, value)


def items_of(m: Machine, made: Object) -> Table:
    """What is known to be in such a dict."""
    return Table(tuple((Const(name), held) for name, held in m.heap.attributes(made).items()), open=True)


@per_class
def _is_its_own_dict(definition: code.Class) -> bool:
    """Whether the constructor says `self.__dict__ = self`."""
    return any(
        isinstance(statement, code.Assign)
        and any(isinstance(target, code.Attribute) and target.attr == "__dict__" for target in statement.targets)
        and isinstance(statement.value, code.Name)
        and statement.value.id == part.parameters[0].name
        for part in definition.body
        if isinstance(part, code.Function) and part.name == "__init__" and part.parameters
        for statement in part.body
    )
