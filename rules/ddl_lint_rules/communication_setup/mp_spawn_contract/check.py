"""Finds spawn calls that fail in every child: an unfit target, `args` that is no tuple, a missing main guard."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from ddl_lint.rulekit import (
    UNKNOWN,
    Bound,
    Const,
    Context,
    DeviceCount,
    Event,
    Evidence,
    Finding,
    Fix,
    FunctionModel,
    FunctionRef,
    Items,
    Location,
    Object,
    Rank,
    RunView,
    Setting,
    Symbol,
    Table,
    Unfixable,
    Unknown,
    Value,
    WorldSize,
    alternatives,
    always,
    branches,
    code,
    in_process,
    is_constant,
    mentions_flag,
    parts,
    with_fix,
)
from ddl_lint.rulekit.events import StartProcesses
from ddl_lint_rules.communication_setup.mp_spawn_contract.fix import (
    fit_target,
    guard,
    make_tuple,
    name_lambda_target,
    unpack_keywords,
)

_PICKLING = ("spawn", "forkserver")
"""Start methods whose children are new interpreters: the target is pickled, the main module is imported again."""

_IN_ARGS = "Pass these values in `args`, in the order of the parameters of the target."
_AS_TUPLE = "Write a tuple, with a trailing comma: `args=(value,)`."
_NAMED = "Define the target with `def` at module level."


class _Fault(NamedTuple):
    message: str
    fix: Callable[[RunView, Event], Fix]
    help: str = "The target gets the process index first, then the elements of `args`."


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call: the first thing that is wrong with it."""
    for event in run.events(StartProcesses):
        model = run.api.function(event.api)
        if model is None or model.starts is None or not model.starts.leading:
            continue  # a launcher that adds no index has another contract
        leading = len(model.starts.leading)
        fault = _surplus(event) or _no_tuple(event, leading) or _misfit(event, leading) or _unpicklable(event, model)
        if fault is not None:
            yield with_fix(
                Finding(fault.message, event.location, _evidence(run, event), help=fault.help), fault.fix, run, event
            )
        elif _at_import(run, event, model):
            finding = Finding(
                f"`{event.api.rpartition('.')[2]}` runs on import, and every child imports this file again",
                event.location,
                _calls(event),
                help='Move the call under `if __name__ == "__main__":`.',
            )
            yield with_fix(finding, guard, run, event)


def _surplus(event: Event) -> _Fault | None:
    if not event.surplus:
        return None
    names = " and ".join(f"`{name}=`" for name in sorted(event.surplus))
    return _Fault(
        f"`{event.api.rpartition('.')[2]}` has no parameter {names}; it raises TypeError",
        unpack_keywords,
        _IN_ARGS,
    )


# --- the arguments -----------------------------------------------------------------------------------------------


def _no_tuple(event: StartProcesses, leading: int) -> _Fault | None:
    value = event.arguments
    if always(value, lambda option: isinstance(option, Table)):
        keys = isinstance(value, Table) and not value.open and _problems(event, leading + len(value.items))
        return _Fault(
            "`args` is a dict, so the target gets its keys instead of the dict",
            partial(make_tuple, is_surely_failing=bool(keys)),
            _AS_TUPLE,
        )
    if always(value, _is_single):
        return _Fault(
            "`args` is not a tuple but the value itself, which cannot be unpacked",
            partial(make_tuple, is_surely_failing=True),
            _AS_TUPLE,
        )
    return None


def _is_single(value: Value) -> bool:
    """Whether a value surely cannot be unpacked."""
    if isinstance(value, Const):
        return not isinstance(value.value, (str, bytes))
    if isinstance(value, Setting):
        default = value.default
        return isinstance(default, Const) and isinstance(default.value, (bool, int, float))
    if isinstance(value, Object):
        return value.kind == "namespace" and not _may_iterate(value)
    return isinstance(value, (DeviceCount, WorldSize, Rank))


def _may_iterate(value: Object) -> bool:
    """Whether a class of the project may be iterable: by a method of its own, or by a base."""
    if value.definition is None:
        return False  # argparse and types know no namespace that iterates
    definition = value.definition.definition
    own = {part.name for part in definition.body if isinstance(part, code.Function)}
    return bool(definition.bases) or not own.isdisjoint({"__iter__", "__getitem__"})


# --- the target --------------------------------------------------------------------------------------------------


def _misfit(event: StartProcesses, leading: int) -> _Fault | None:
    """What the target's signature says to the index and the elements of `args`."""
    if "arguments" in event.unseen:
        return None
    arguments = event.operands.get("arguments", Items("tuple", ()))
    counts = {
        leading + len(option.items) if isinstance(option, Items) and not option.open else None
        for option in alternatives(arguments)
    }
    count = counts.pop() if len(counts) == 1 else None
    if count is None:
        return None
    problems = _problems(event, count)
    return problems[0] if len({problem.message for problem in problems}) == 1 else None


def _problems(event: StartProcesses, count: int) -> list[_Fault]:
    """Why the target cannot be called with so many values; empty when one of those that it may be can."""
    target = event.given_function
    if target is None:
        return []
    options = alternatives(target)
    problems = [problem for option in options if (problem := _signature_problem(option, count)) is not None]
    return problems if len(problems) == len(options) else []


def _signature_problem(target: Value, count: int) -> _Fault | None:
    """Why a target cannot be called with so many values; None when it can, or when that is unknown."""
    keywords: set[str] = set()
    while isinstance(target, Bound):
        count += len(target.args)
        keywords |= {name for name, _ in target.keywords}
        target = target.function
    if not isinstance(target, FunctionRef) or (target.function.decorators and target.cells is None):
        return None  # a decorator that cannot be seen may change the signature
    function = target.function
    if target.receiver is not None:
        count += 1
    positional = [parameter for parameter in function.parameters if parameter.kind == "positional"]
    takes_more = any(parameter.kind == "var_positional" for parameter in function.parameters)
    shown = f"`{function.name}`" if function.name.isidentifier() else "the target"
    if count > len(positional) and not takes_more:
        bound = target.receiver is not None
        given, takes = _arguments(count - bound), len(positional) - bound
        return _Fault(
            f"{shown} is called with the process index and `args`, {given} in all, but takes {takes or 'none'}",
            partial(fit_target, surplus=count - len(positional)),
        )
    if any(parameter.name in keywords for parameter in positional[:count]):
        return _Fault(f"{shown} gets an argument twice: by keyword, and by position from the index and `args`", _leave)
    missing = [
        parameter.name
        for parameter in [*positional[count:], *(p for p in function.parameters if p.kind == "keyword")]
        if parameter.default is None and parameter.name not in keywords
    ]
    if missing:
        names = ", ".join(f"`{name}`" for name in missing)
        return _Fault(f"{shown} is called with the process index and `args`, but {names} is missing", _leave)
    return None


def _leave(run: RunView, event: Event) -> Fix:
    raise Unfixable("cannot tell which arguments the target should get")


def _arguments(count: int) -> str:
    return "1 argument" if count == 1 else f"{count} arguments"


def _unpicklable(event: Event, model: FunctionModel) -> _Fault | None:
    if not _pickles(event, model):
        return None
    functions = [_function(option) for option in alternatives(event.operands.get("function", UNKNOWN))]
    if all(function is not None and function.name == "<lambda>" for function in functions):
        return _Fault("the target is a lambda, which cannot be pickled for a new process", name_lambda_target, _NAMED)
    if all(function is not None and _is_inside(function, event) for function in functions):
        return _Fault(
            "the target is defined inside another function, so it cannot be pickled for a new process",
            _keep_inside,
            "Move the target to module level, and pass what it uses in `args`.",
        )
    return None


def _keep_inside(run: RunView, event: Event) -> Fix:
    raise Unfixable("the target may use variables of the function around it, which would have to become arguments")


def _function(target: Value) -> code.Function | None:
    while isinstance(target, Bound):
        target = target.function
    return target.function if isinstance(target, FunctionRef) else None


def _is_inside(function: code.Function, event: Event) -> bool:
    """Whether a plain function is defined in a function that is running at the event."""
    return not function.decorators and any(
        node.function is not None
        and function.qualname.startswith(node.function.qualname + ".")
        and node.function.start < function.start < node.function.end
        for node in event.context.chain()
    )


def _pickles(event: Event, model: FunctionModel) -> bool:
    """Whether the children are surely new interpreters, by the start method that is given or the default."""
    if "method" not in model.roles or "method" in event.unseen:
        return False
    default = next((p.default for p in model.parameters or () if p.name == model.roles["method"]), None)
    return is_constant(event.operands.get("method", Const(default)), *_PICKLING)


# --- the main guard ----------------------------------------------------------------------------------------------


def _at_import(run: RunView, event: Event, model: FunctionModel) -> bool:
    """Whether a script surely gets to the call when it is imported, as the children do."""
    if not run.is_script or run.run.function or run.run.path.endswith(".ipynb"):
        return False  # what imports the module calls it; and the children cannot import a notebook
    if not _pickles(event, model) or in_process(event) is not None:
        return False
    starts_here = any(node.kind == "entry" and node.location.path == run.run.path for node in event.context.chain())
    uncertain = any(node.kind in ("callback", "handler", "try") for node in event.context.chain())
    return starts_here and not uncertain and all(_holds_in_child(node) for node in branches(event.context))


def _holds_in_child(condition: Context) -> bool:
    """Whether a condition is the same in the child: nothing that the parent may have changed, and no main guard."""
    value = condition.value
    if value is None or mentions_flag(value, "main"):
        return False
    return not any(
        isinstance(part, (Unknown, Symbol, Object)) or (isinstance(part, Setting) and part.source == "environment")
        for part in parts(value)
    )


def _evidence(run: RunView, event: Event) -> tuple[Evidence, ...]:
    """Where the target is defined, if it does something that we see."""
    function = _function(event.operands.get("function", UNKNOWN))
    inside = next((other for other in run.all_events if other.function is function), None) if function else None
    if function is None or inside is None or function.name == "<lambda>":
        return ()
    end = function.name_start + len(function.name)
    return (Evidence("the target is defined here", Location(inside.location.path, function.name_start, end)),)


def _calls(event: Event) -> tuple[Evidence, ...]:
    """The calls that lead from the top level to the event, outermost first."""
    calls = [node for node in event.context.chain() if node.kind == "call" and node.function is not None]
    return tuple(Evidence("called here, outside a main guard", node.location) for node in reversed(calls))
