"""Questions about who starts the processes of a run, and what of it they take from their environment."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.analysis.queries.backends import assigns_ranks
from ddl_lint.analysis.queries.control_context import single_shot
from ddl_lint.analysis.values.certainty import always, is_absent, is_constant
from ddl_lint.analysis.values.contexts import in_process, loops
from ddl_lint.analysis.view import RunView
from ddl_lint.program.event_types import InitProcessGroup, QueryProcessGroup, ReadEnvironment, SetEnvironment
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import Const, Scope, Setting, Value

_ENVIRONMENT = "env://"


def variable_of(event: Event) -> str | None:
    """The environment variable that is read or set; None where that is not known."""
    variable = event.operands.get("variable")
    return variable.value if isinstance(variable, Const) and isinstance(variable.value, str) else None


def launcher_reads(run: RunView, process: Context | None) -> Iterator[ReadEnvironment]:
    """Where a process asks its environment who it is, and nothing in the program has set it."""
    known = run.api.conventions.names.get("launcher_variables", ())
    for event in run.events(ReadEnvironment):
        asks = in_process(event) is process and variable_of(event) in known
        if asks and not any(_may_tell(other, event) for other in run.events(SetEnvironment)):
            yield event


def _may_tell(assignment: SetEnvironment, read: Event) -> bool:
    """Whether an assignment may be what is read: it comes before, of this variable or of one that is not known."""
    if assignment.order > read.order or (assignment.default is not None and in_process(read) is None):
        return False  # a default does not hold where a launcher sets the variable
    return variable_of(assignment) in (None, variable_of(read))


def meets_in_environment(init: InitProcessGroup) -> bool:
    """Whether the processes of a group meet where the environment says, unless the user says otherwise."""
    if not is_absent(init, "store"):
        return False
    return is_absent(init, "init_method") or always(init.init_method, _is_environment)


def _is_environment(value: Value) -> bool:
    written = value.default if isinstance(value, Setting) else value
    return isinstance(written, Const) and written.value in (None, _ENVIRONMENT)


def is_told_ranks(run: RunView) -> bool:
    """Whether the processes of a group learn their ranks from their environment, where the program has put none: the
    launcher is one that does so.
    """
    known = run.api.conventions.names.get("launcher_variables", ())
    if any(variable_of(event) in (None, *known) for event in run.events(SetEnvironment)):
        return False
    groups = run.groups()
    return bool(groups) and all(
        meets_in_environment(init) and is_absent(init, "rank") and not assigns_ranks(init, run.api) for init in groups
    )


def asks_for_rank(run: RunView, scope: Scope) -> bool:
    """Whether the program reads the rank of this scope from its environment, or asks its group for it."""
    for event in run.events(ReadEnvironment, QueryProcessGroup):
        if event.kind == "read_environment":
            meaning = run.api.conventions.environment.get(variable_of(event) or "")
        else:
            model = run.api.function(event.api)
            meaning = model.returns if model is not None else None
        if meaning is not None and meaning.kind == "rank" and meaning.value == scope:
            return True
    return False


def given_rank(run: RunView, event: Event) -> int | None:
    """The rank of the process of an event, where each group that it may have joined gets the same literal one: all
    groups before it, or those that other methods of its class join.
    """
    own = _class(event)
    joined = [
        init
        for init in run.events(InitProcessGroup)
        if in_process(init) is in_process(event) and init.order < event.order
    ]
    if own is not None:
        joined = [init for init in run.events(InitProcessGroup) if _class(init) == own] or joined
    ranks = {init.rank for init in joined}
    rank = next(iter(ranks), None)
    known = rank.value if len(ranks) == 1 and isinstance(rank, Const) else None
    return known if isinstance(known, int) and not isinstance(known, bool) and known >= 0 else None


def _class(event: Event) -> tuple[str, str] | None:
    """The class of the method that an event is in."""
    name = event.function.qualname.rpartition(".")[0] if event.function is not None else ""
    return (event.location.path, name) if name and not name.endswith("<locals>") else None


def starts_several(start: Event) -> bool:
    """Whether a call, or the loop around it, starts more than one process."""
    processes = start.operands.get("processes")
    if processes is not None:
        return not is_constant(processes, 1)
    return "processes" not in start.unseen and any(not single_shot(loop) for loop in loops(start.context))
