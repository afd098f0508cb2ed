"""Functions that a library starts: in processes of their own, or here with what the command line gives."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.analysis.interpreter.machine import MOST_OFFERED, Arguments, Frame, Machine
from ddl_lint.analysis.interpreter.models.call_sites import CallSite, ModelledCall
from ddl_lint.analysis.interpreter.models.returned import evaluate_returns
from ddl_lint.analysis.values.lattice import choose
from ddl_lint.analysis.values.operators import apply
from ddl_lint.frameworks.model import Starts
from ddl_lint.program import code
from ddl_lint.program.values import (
    NONE,
    Alternatives,
    Apply,
    Bound,
    ClassRef,
    Const,
    FunctionRef,
    Items,
    Object,
    Rank,
    Setting,
    Symbol,
    Table,
    Value,
)
from ddl_lint.source.span import Location

_REGISTERED = "registered()"
"""Under which attribute an object holds the functions that were registered with it; no program has such a name."""

_COMMAND = Setting("command", "argument")
"""What chooses between the functions that a program offers."""


def start(m: Machine, site: ModelledCall) -> Value | None:
    """Run a function that a call starts, in processes of its own or in this one; what it gives, if that is here."""
    frame, location, starts = site.frame, site.location, site.model.starts
    if starts is None or (starts.main and m.look_up(frame, "__name__") != Const("__main__")):
        return None
    function = _function(m, site, starts)
    if function == NONE:
        return None
    if starts.meeting and not may_meet(m, function):
        return None
    arguments = _arguments(m, site, starts)
    if starts.here:
        return m.call(frame, function, arguments, location)
    arguments.positional = [_process_number(value) for value in arguments.positional]
    arguments.keywords = [(name, _process_number(value)) for name, value in arguments.keywords]
    with m.inside(frame, "process", location):
        return run_callable(m, frame, function, arguments, location)


def _arguments(m: Machine, site: CallSite, starts: Starts) -> Arguments:
    given = site.given
    there = CallSite(site.frame, site.location, None, given)
    positional = [evaluate_returns(m, leading, there) for leading in starts.leading]
    arguments = Arguments(positional, star=starts.options, double_star=starts.options, options=starts.options)
    held = given.get(starts.arguments) if starts.arguments is not None else None
    if isinstance(held, Items):
        arguments.positional.extend(held.items)
        arguments.star = arguments.star or held.open
    elif held is not None:
        arguments.star = True
    table = given.get(starts.keywords) if starts.keywords is not None else None
    if isinstance(table, Table):
        for key, value in table.items:
            if isinstance(key, Const) and isinstance(key.value, str):
                arguments.keywords.append((key.value, value))
        arguments.double_star = arguments.double_star or table.open
    elif table is not None:
        arguments.double_star = True
    return arguments


def _function(m: Machine, site: CallSite, starts: Starts) -> Value:
    """The function that is started; one of several where the user chooses."""
    module = site.frame.module
    if starts.function == "self":
        return _command(m, registered_with(m, site.receiver))
    function = site.given.get(starts.function, NONE)
    if function == NONE and starts.otherwise == "*":
        return _command(m, functions_of(m, module))
    if function == NONE and starts.otherwise is not None:
        return m.module_names(module).get(starts.otherwise, NONE)
    if starts.members or isinstance(function, (Items, Table)):
        return _command(m, _offered(m, site, function, starts.members))
    return function


def _offered(m: Machine, site: CallSite, value: Value, members: bool) -> list[Value]:
    """The functions that a value refers to: those of a dict or list, and the methods of a class or object."""
    if isinstance(value, (Table, Items)):
        parts = [held for _, held in value.items] if isinstance(value, Table) else value.items
        return [each for part in parts for each in _offered(m, site, part, members)]
    if members and isinstance(value, ClassRef):
        value = m.call(site.frame, value, Arguments(star=True, double_star=True, options=True), site.location)
    if members and isinstance(value, Object) and value.definition is not None:
        return methods_of(m, value)
    return [value] if isinstance(value, (FunctionRef, ClassRef, Bound, Object, Symbol)) else []


def methods_of(m: Machine, instance: Object) -> list[Value]:
    """The public methods of an instance of a project class from which something of interest can be reached."""
    owner = instance.definition
    found: list[Value] = []
    for part in owner.definition.body if owner is not None else ():
        if isinstance(part, code.Function) and not part.name.startswith("_") and m.relevance.of(part):
            found.append(FunctionRef(part, owner.module, instance, owner, owner.cells) if owner is not None else NONE)
    return found


def functions_of(m: Machine, module: str) -> list[Value]:
    """The functions of a module from which something of interest can be reached, but those that run at this moment."""
    return [
        value
        for value in m.module_names(module).values()
        if isinstance(value, FunctionRef)
        and value.module == module
        and not m.is_inside(value.function)
        and m.relevance.of(value.function)
    ]


def _command(m: Machine, functions: Iterable[Value]) -> Value:
    """The command of several that the user chooses: each is a program of its own, and is followed in its own run."""
    options = _likeliest(m, functions)
    if len(options) < 2:
        return options[0] if options else NONE
    return options[m.choice(len(options))]


def one_of(m: Machine, functions: Iterable[Value]) -> Value:
    """One of several functions, whichever it is; `NONE` where there is none."""
    options = _likeliest(m, functions)
    if len(options) < 2:
        return options[0] if options else NONE
    return choose(
        [(frozenset({(apply("==", _COMMAND, Const(index)), True)}), option) for index, option in enumerate(options)]
    )


def _likeliest(m: Machine, functions: Iterable[Value]) -> list[Value]:
    """As many of several functions as are followed, first those in which ranks may meet."""
    options = list(dict.fromkeys(functions))
    if len(options) > MOST_OFFERED:
        options = sorted(options, key=lambda option: not may_meet(m, option))[:MOST_OFFERED]
    return options


def may_meet(m: Machine, function: Value) -> bool:
    """Whether ranks may meet in one of the functions that a value may be."""
    options = [each.function if isinstance(each, Bound) else each for each in callables(function)]
    return any(isinstance(each, FunctionRef) and m.reaches_collective.of(each.function) for each in options)


def option_of(m: Machine, frame: Frame, parameter: code.Parameter) -> Setting:
    """A parameter of a command, as the command line gives it."""
    default = m.evaluate(frame, parameter.default) if isinstance(parameter.default, code.Literal) else None
    return Setting(parameter.name, "argument", default)


# --- functions that are registered --------------------------------------------------------------------------------


def register(m: Machine, site: ModelledCall) -> Value:
    """What a call gives that decorates a function, which is registered; or the decorator, where none is given yet."""
    model, receiver = site.model, site.receiver
    function = site.arguments.positional[0] if site.arguments.positional else NONE
    if not isinstance(function, (FunctionRef, ClassRef, Bound, Object)):
        return Symbol(model.name, receiver)  # `@app.command("train")`
    instance = model.registers.instance if model.registers is not None else None
    if instance is not None:
        made = Object("other", site.location, instance, given={"function": function})
        _add(m, made, function)
        function = made
    if isinstance(receiver, Object):
        _add(m, receiver, function)
    return function


def _add(m: Machine, owner: Object, function: Value) -> None:
    m.heap.store(owner, _REGISTERED, Items("list", (*registered_with(m, owner), function)))


def registered_with(m: Machine, owner: Value | None) -> tuple[Value, ...]:
    """The functions that were registered with an object."""
    held = m.heap.attributes(owner).get(_REGISTERED) if isinstance(owner, Object) else None
    return held.items if isinstance(held, Items) else ()


# --- calls --------------------------------------------------------------------------------------------------------


def _process_number(value: Value) -> Value:
    """`Process(args=(i, ...))` inside `for i in range(n)`: in the process, `i` is its number."""
    if isinstance(value, Apply) and value.operator == "element":
        return Rank("local", source="spawn")
    return value


def run_callable(m: Machine, frame: Frame, function: Value, arguments: Arguments, location: Location) -> Value | None:
    """Run what may be one of several functions, as a library does; what the last of them gives."""
    given: Value | None = None
    for option in callables(function):
        if isinstance(option, FunctionRef):
            given = m.invoke(frame, option, arguments, location, kind="callback")
        elif isinstance(option, (Bound, Object, ClassRef, Symbol)):
            given = m.call(frame, option, arguments, location)
    return given


def callables(value: Value) -> list[Value]:
    """The callables that a value may be."""
    if isinstance(value, Alternatives):
        return [option for _, option in value.options]
    return [value]
