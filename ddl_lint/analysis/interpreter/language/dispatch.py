"""Functions and modules that are chosen by name while the program runs: `globals()[name]()`, `import_module(name)`."""

from __future__ import annotations

import re

from ddl_lint.analysis.interpreter.language.statements import NAMES_WITH_VALUES, import_module
from ddl_lint.analysis.interpreter.library.classes import ancestry, find_member, is_abstract, library_model
from ddl_lint.analysis.interpreter.machine import MOST_OFFERED, Arguments, Frame, Machine, text_of
from ddl_lint.analysis.interpreter.models.starting import functions_of, methods_of, one_of
from ddl_lint.analysis.values.lattice import alternatives, choose, map_alternatives
from ddl_lint.analysis.values.operators import apply
from ddl_lint.analysis.values.tags import tags_of
from ddl_lint.program import code
from ddl_lint.program.values import (
    NONE,
    Apply,
    ClassRef,
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


def all_names(owner: Value) -> Value | None:
    """What `items()` returns of all names of a module; None where `owner` is something else."""
    return apply(NAMES_WITH_VALUES, owner) if isinstance(owner, Object) and owner.kind == _NAMES else None


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
    interest can be reached. Where there is no such function in the module, a class is meant.
    """
    change = m.run.carried.get(function) if isinstance(function, Unknown) else None
    if change is not None:  # what a loop over all names has found
        function = next((each for each in alternatives(change[1]) if isinstance(each, Apply)), function)
    if not isinstance(function, Apply) or function.operator != "index":
        return None
    names = function.operands[0]
    if not isinstance(names, Object) or names.kind != _NAMES:
        return None
    owner = names.given["owner"]
    if isinstance(owner, ModuleRef):
        found = one_of(m, [each for each in functions_of(m, owner.name) if _takes(each, arguments)])
        if found == NONE and arguments.values():
            found = one_of(m, _classes_of(m, owner.name, arguments))
    else:
        found = one_of(m, methods_of(m, owner)) if isinstance(owner, Object) else NONE
    return None if found == NONE else found


def methods_by_name(m: Machine, instance: Object) -> dict[str, Value]:
    """All methods of an instance of a project class from which something of interest can be reached."""
    found: dict[str, Value] = {}
    for part in ancestry(m, instance.definition) if instance.definition is not None else ():
        if isinstance(part, ClassRef):
            for name, held in m.class_body(part).names.items():
                if isinstance(held, FunctionRef) and m.relevance.of(held.function):
                    found.setdefault(name, FunctionRef(held.function, held.module, instance, part, held.cells))
    return found


def _classes_of(m: Machine, module: str, arguments: Arguments) -> list[Value]:
    """The classes of the project that a module knows, that take these arguments and do something of interest."""
    return [
        value
        for value in m.module_names(module).values()
        if isinstance(value, ClassRef) and _is_made_with(m, value, arguments) and not is_abstract(value.definition)
    ]


def _is_made_with(m: Machine, ref: ClassRef, arguments: Arguments) -> bool:
    init = find_member(m, ref, "__init__")
    is_interesting = library_model(m, ref) is not None or any(
        isinstance(part, ClassRef)
        and any(isinstance(each, code.Function) and m.relevance.of(each) for each in part.definition.body)
        for part in ancestry(m, ref)
    )
    return is_interesting and isinstance(init, FunctionRef) and _takes(init, arguments, bound=1)


def _takes(function: Value, arguments: Arguments, bound: int = 0) -> bool:
    """Whether a call gives what a function must have, as far as that can be seen, and no more. Who passes nothing may
    mean to start it later.
    """
    if not isinstance(function, FunctionRef) or not arguments.values():
        return True
    names = {name for name, _ in arguments.keywords}
    parameters, given = function.function.parameters, len(arguments.positional) + bound
    places = [each for each in parameters if each.kind == "positional"]
    if given > len(places) and all(each.kind != "var_positional" for each in parameters):
        return False
    known = {each.name for each in parameters}
    if not names <= known and all(each.kind != "var_keyword" for each in parameters):
        return False
    return arguments.hides_some or all(each.default is not None or each.name in names for each in places[given:])


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
    """`importlib.import_module("pkg.train")`; None where no name is given."""
    if not arguments.positional:
        return None
    return map_alternatives(arguments.positional[0], lambda name: _imported(m, frame, name, location))


def _imported(m: Machine, frame: Frame, given: Value, location: Location) -> Value:
    name = text_of(given)
    if name is None:
        _import_those_that_register(m, frame, given)
        return _one_inside(m, given) or Unknown(location, tags_of(given))
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


def _one_inside(m: Machine, name: Value) -> Value | None:
    """The modules of a package of which one is imported: `import_module("plugins." + name)`; None where the package is
    not known, or large.
    """
    package = _known_start(name)
    end = _known_end(name)
    inside = [each for each in m.codebase.sources if package and each.rpartition(".")[0] == package]
    inside = [each for each in inside if each.endswith(end)]
    if not 0 < len(inside) <= MOST_OFFERED:
        return None
    for each in inside:
        m.module_names(each)
    return choose([(frozenset({(apply("==", name, Const(each)), True)}), ModuleRef(each)) for each in inside])


def _known_start(name: Value) -> str:
    """The package in a text of which the rest is not known: `"zoo." + name`, `"zoo." + name + "_model"`."""
    while isinstance(name, Apply) and name.operator in ("text", "+") and name.operands:
        name = name.operands[0]
    return (text_of(name) or "").rpartition(".")[0]


def _known_end(name: Value) -> str:
    """The end of such a text."""
    pieces = name.operands if isinstance(name, Apply) and name.operator in ("text", "+") else ()
    return text_of(pieces[-1]) or "" if pieces else ""


def _is_registered(statement: code.Statement) -> bool:
    """Whether a definition has a decorator, which may keep it."""
    return isinstance(statement, (code.Class, code.Function)) and bool(statement.decorators)
