"""Functions and modules that are chosen by name while the program runs: `globals()[name]()`, `import_module(name)`."""

from __future__ import annotations

import re

from ddl_lint.analysis.interpreter.language.statements import import_module
from ddl_lint.analysis.interpreter.machine import Arguments, Frame, Machine, text_of
from ddl_lint.analysis.interpreter.models.starting import functions_of, methods_of, one_of
from ddl_lint.analysis.values.operators import apply
from ddl_lint.analysis.values.tags import tags_of
from ddl_lint.program import code
from ddl_lint.program.values import (
    NONE,
    Apply,
    Const,
    FunctionRef,
    ModuleRef,
    Object,
    Setting,
    Symbol,
    Unknown,
    Value,
)
from ddl_lint.source.span import Location

_NAMES = "names"
"""The kind of the object that represents all names of a module, or of an object."""

_CALL = re.compile(r"\s*([^\W\d]\w*)\s*\(.*\)\s*", re.DOTALL)
_MODULES = "sys.modules"


def names_of(owner: Value, location: Location) -> Object:
    """What `globals()` or `vars(module)` returns."""
    return Object(_NAMES, location, given={"owner": owner})


def named(owner: Value, name: Value, location: Location) -> Value:
    """What has a name in a module or object, where the name is unknown."""
    return apply("index", names_of(owner, location), name)


def item_of_names(m: Machine, frame: Frame, owner: Value, index: Value, location: Location) -> Value | None:
    """`globals()["main"]`, `sys.modules[__name__]`; None when `owner` is something else, or the name is not known."""
    name = text_of(index)
    if name is None:
        return None
    if isinstance(owner, Symbol) and owner.name == _MODULES:
        known = frame.module if name in ("__main__", frame.module) else m.codebase.find(name, frame.module)
        return ModuleRef(known) if known is not None else None
    if isinstance(owner, Object) and owner.kind == _NAMES:
        return m.attribute(frame, owner.given["owner"], name, location)
    return None


def called_by_name(m: Machine, function: Value, arguments: Arguments) -> Value | None:
    """The functions that may be meant by one that is called by an unknown name; None where that is not so.

    They are those of the module, or the methods of the object, that take these arguments and from which something of
    interest can be reached.
    """
    if not isinstance(function, Apply) or function.operator != "index":
        return None
    names = function.operands[0]
    if not isinstance(names, Object) or names.kind != _NAMES:
        return None
    owner = names.given["owner"]
    if isinstance(owner, ModuleRef):
        found = one_of(m, [each for each in functions_of(m, owner.name) if _takes(each, arguments)])
    else:
        found = one_of(m, methods_of(m, owner)) if isinstance(owner, Object) else NONE
    return None if found == NONE else found


def _takes(function: Value, arguments: Arguments) -> bool:
    """Whether a call gives what a function must have, and no more. Who passes nothing may mean to start it later."""
    if not isinstance(function, FunctionRef) or arguments.hides_some or not arguments.values():
        return True
    names = {name for name, _ in arguments.keywords}
    parameters, given = function.function.parameters, len(arguments.positional)
    places = [each for each in parameters if each.kind == "positional"]
    if given > len(places) and all(each.kind != "var_positional" for each in parameters):
        return False
    return all(each.default is not None or each.name in names for each in places[given:])


def is_chosen_by_user(name: Value) -> bool:
    """Whether a name comes from the command line as it is."""
    return isinstance(name, Setting) and name.source == "argument"


def evaluate_text(m: Machine, frame: Frame, text: Value, location: Location) -> Value | None:
    """`eval("main")`, `eval("main()")`, `eval(name)`; None for other expressions."""
    known = text_of(text)
    if known is None:
        return named(ModuleRef(frame.module), text, location) if not isinstance(text, Const) else None
    call = _CALL.fullmatch(known)
    value = m.look_up(frame, call.group(1) if call is not None else known.strip())
    if value is None or call is None:
        return value
    return m.call(frame, value, Arguments(star=True, double_star=True), location)


def imported_by_name(m: Machine, frame: Frame, arguments: Arguments, location: Location) -> Value | None:
    """`importlib.import_module("pkg.train")`; None where the name is not known."""
    name = text_of(arguments.positional[0]) if arguments.positional else None
    if name is None:
        if not arguments.positional:
            return None
        _import_those_that_register(m, frame, arguments.positional[0])
        return Unknown(location, tags_of(arguments.positional[0]))
    if name.startswith("."):
        stem = name.lstrip(".")
        full = m.codebase.relative(stem, len(name) - len(stem), frame.module)
        return ModuleRef(full) if full in m.codebase else Unknown(location)
    if import_module(m, frame, name.partition(".")[0]) == Symbol(name.partition(".")[0]):
        return import_module(m, frame, name)
    found = m.codebase.find(name, frame.module)
    if found is None:
        return Symbol(name)
    m.module_names(found)
    return ModuleRef(found)


_MOST_IMPORTED = 100


def _import_those_that_register(m: Machine, frame: Frame, name: Value) -> None:
    """Import what a module may mean that imports modules by unknown names, such as all files of a folder: it
    does so for what they register with their decorators.
    """
    package = _known_start(name) or frame.module.partition(".")[0]
    inside = [each for each in m.codebase.sources if each.startswith(f"{package}.")] if package else []
    if len(inside) > _MOST_IMPORTED:
        return
    for each in inside:
        module = m.codebase.module(each)
        if module is not None and any(map(_is_registered, module.body)):
            m.module_names(each)


def _known_start(name: Value) -> str:
    """The package in a text of which the end is not known: `"zoo." + name`."""
    first = name.operands[0] if isinstance(name, Apply) and name.operator == "text" and name.operands else NONE
    return (text_of(first) or "").rpartition(".")[0]


def _is_registered(statement: code.Statement) -> bool:
    """Whether a definition has a decorator that is called, or is an attribute of something."""
    return isinstance(statement, (code.Class, code.Function)) and any(
        isinstance(decorator, (code.Call, code.Attribute)) for decorator in statement.decorators
    )
