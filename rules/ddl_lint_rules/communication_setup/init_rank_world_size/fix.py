"""Tells the process group which process this is, and of how many."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence

from ddl_lint.rulekit import (
    NONE,
    Applicability,
    CallStep,
    Const,
    Context,
    Edit,
    Event,
    File,
    Fix,
    Rank,
    RunView,
    Unfixable,
    Value,
    WorldSize,
    add_argument,
    add_keyword,
    add_parameter,
    argument_of,
    code,
    file_of,
    in_process,
    mentions_of,
    names_bound,
    names_read,
    parameter_of,
    render_idiom,
    replace_expression,
    spelled_at,
    value_of,
    variable_of,
    walk,
    way,
)
from ddl_lint.rulekit.events import ReadEnvironment, StartProcesses

_IDIOMS = {"rank": "launched_rank", "world_size": "launched_world_size"}
"""How code says it that a launcher starts."""

_ALONE = {"rank": "0", "world_size": "1"}
"""What a process is that no launcher has started."""

_UNSET = Const(-1)
"""What PyTorch's signature says for what is not given."""


def fix(run: RunView, event: Event, roles: Sequence[str]) -> Fix:
    """The number of this process, or of all, in the place of what is wrong or missing."""
    file = file_of(run, event.location)
    call = file.node(event.location, code.Call)
    edits: list[Edit] = []
    added: list[str] = []
    for role in roles:
        name = parameter_of(run, event.api, role)
        if name is None:
            raise Unfixable(f"the call takes no {role}")
        value, others = _value(run, event, role)
        edits.extend(others)
        given = argument_of(run, event.api, call, role)
        if given is None:
            added.append(f"{name}={value}")
        else:
            edits.append(replace_expression(file, value_of(given), value))
    if len(added) == 1:
        name, _, value = added[0].partition("=")
        edits.append(add_keyword(file, call, name, value))
    elif added:
        gap = f"{file.newline}{file.indent_at(call.keywords[-1].end)}" if _goes_on(file, call) else " "
        edits.append(add_argument(file, call, f",{gap}".join(added)))
    what = {"rank": "the rank", "world_size": "the world size"}
    return Fix(
        f"Pass {' and '.join(what[role] for role in roles)}",
        tuple(dict.fromkeys(edits)),
        Applicability.UNSAFE,
        "The variable that holds it is a guess",
    )


def _goes_on(file: File, call: code.Call) -> bool:
    """Whether the arguments of a call are on lines of their own, and so is the bracket that ends them."""
    return bool(call.keywords) and file.begins_line(call.end - 1) and file.begins_line(call.keywords[-1].start)


def _value(run: RunView, event: Event, role: str) -> tuple[str, Sequence[Edit]]:
    """What to write for a role, and the edits elsewhere that it takes."""
    steps = way(run, event)
    process = in_process(event)
    if role == "rank":
        wanted = (Rank("global"), Rank("local")) if process is not None else (Rank("global"),)
        _only_one_rank(run, event)
    else:
        wanted = (WorldSize("global"),)
    for value in wanted:
        found = spelled_at(run, value, event, steps[-1], steps[-1].place)
        if found is not None:
            return found.text, ()
    if process is None:
        if isinstance(event.operands.get(role), Const) and event.operands[role] != _UNSET:
            raise Unfixable("cannot tell where each process gets its own rank from")
        if _may_be_started_alone(run):
            wording = render_idiom(run, steps[-1].place, event.api, f"{_IDIOMS[role]}_or", fallback=_ALONE[role])
        else:
            wording = render_idiom(run, steps[-1].place, event.api, _IDIOMS[role])
        return wording.text, wording.imports
    if role == "world_size":
        return _count(run, steps, process), ()
    for value in wanted:
        if len(steps) > 1 and spelled_at(run, value, event, steps[-2], steps[-2].place) is not None:
            return _handed_down(run, event, value, steps[-2], steps[-1])
    raise Unfixable("cannot tell which variable holds the rank of the started process")


def _may_be_started_alone(run: RunView) -> bool:
    """Whether the program knows what to do where no launcher tells it who it is: `os.getenv("LOCAL_RANK", "0")`."""
    known = run.api.conventions.names.get("launcher_variables", ())
    return any(
        variable_of(event) in known and event.operands.get("default", NONE) != NONE
        for event in run.events(ReadEnvironment)
    )


def _only_one_rank(run: RunView, event: Event) -> None:
    """Raises `Unfixable` when the started process makes its rank of the index that it got."""
    names = set(run.api.conventions.names.get("rank_global", ()))
    known = {each.text for each in run.spellings() if isinstance(each.value, Rank)}
    for node in event.context.chain():
        if node.function is not None and node.kind != "call":
            made = {name for name in node.function.bound if name.rpartition(".")[2] in names} - known
            if made:
                raise Unfixable(f"`{min(made)}` may be the rank, computed from the index of the process")


# --- the number of processes ------------------------------------------------------------------------------------------


def _count(run: RunView, steps: Sequence[CallStep], process: Context) -> str:
    """The number of processes as the caller writes it, in the names of the started function."""
    start = next((each for each in run.events(StartProcesses) if each.location == process.location), None)
    worker = steps[-1].function
    if start is None or worker is None or steps[-1].entry.kind == "call":
        raise Unfixable("cannot tell which variable holds the number of processes")
    file = file_of(run, start.location)
    call = file.node(start.location, code.Call)
    count, given = (argument_of(run, start.api, call, role) for role in ("processes", "arguments"))
    model = run.api.function(start.api)
    if count is None or model is None or model.starts is None:
        raise Unfixable("the number of processes is not written where they are started")
    names = _names_in(worker, value_of(given) if given is not None else None, len(model.starts.leading), file)
    return _translated(file, value_of(count), names, steps[-1])


def _names_in(worker: code.Function, given: code.Expression | None, leading: int, file: File) -> Mapping[str, str]:
    """What is handed to the started function -> the parameter that gets it."""
    if not isinstance(given, code.Display) or any(isinstance(each, code.Starred) for each in given.items):
        return {}
    positional = [each.name for each in worker.parameters if each.kind == "positional"]
    positional = positional[len(positional) - leading - len(given.items) :]  # without the receiver of a method
    found = dict(zip((file.source(each) for each in given.items), positional[leading:], strict=False))
    return {text: name for text, name in found.items() if name not in worker.bound}


def _translated(file: File, count: code.Expression, names: Mapping[str, str], step: CallStep) -> str:
    """An expression with other names."""
    text = file.source(count)
    if text in names:
        return names[text]
    edits: list[tuple[int, int, str]] = []
    for name in _roots(count):
        new = names.get(name.id)
        if new is None and not _means_the_same(name.id, file, step):
            raise Unfixable("the started function does not get the number of processes")
        if new is not None and new != name.id:
            edits.append((name.start - count.start, name.end - count.start, new))
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _roots(count: code.Expression) -> Iterable[code.Name]:
    """The names in a simple expression."""
    for node in walk(count):
        if isinstance(node, (code.Lambda, code.Comprehension, code.FormattedString)):
            raise Unfixable("the number of processes is written in a form that cannot be copied")
        if isinstance(node, code.Name):
            yield node


def _means_the_same(name: str, file: File, step: CallStep) -> bool:
    """Whether a name of the file in which the processes are started is one of its imports, or one of Python."""
    inner = step.function
    if inner is not None and name in {*inner.bound, *(each.name for each in inner.parameters)}:
        return False
    imports = [each for each in file.module.body if isinstance(each, (code.Import, code.ImportFrom))]
    if name in names_bound(*imports):
        return step.file.document.path == file.document.path
    return hasattr(builtins, name) and name not in names_bound(*file.module.body, *step.file.module.body)


# --- the rank that only the caller knows ------------------------------------------------------------------------------


def _handed_down(
    run: RunView, event: Event, value: Value, caller: CallStep, callee: CallStep
) -> tuple[str, Sequence[Edit]]:
    """The rank as a new parameter of the function that creates the group, given by its only caller."""
    known = spelled_at(run, value, event, caller, caller.place)
    function = callee.function
    assert known is not None
    call = caller.file.node(caller.location, code.Call)
    if function is None or callee.entry.kind != "call" or function.decorators:
        raise Unfixable("the rank is known only outside of the function that creates the group")
    mentioned = mentions_of(run, callee.location, function)
    if len(mentioned) != 1 or mentioned[0][1] is not call.func:
        raise Unfixable(
            "the function that creates the group is called in several places and has no parameter for the rank"
        )
    name = "rank"
    if name in function.bound or name in names_read(*function.body) or _has_parameter(function, name):
        raise Unfixable("`rank` is another variable of the function that creates the group")
    positional = [each for each in function.parameters if each.kind == "positional"]
    if any(each.default is not None for each in positional) or len(positional) < len(function.parameters):
        raise Unfixable("the function that creates the group has optional parameters and none for the rank")
    if any(each.name is None for each in call.keywords) or any(isinstance(each, code.Starred) for each in call.args):
        raise Unfixable("the arguments of the function that creates the group are not literals")
    is_plain = not call.keywords
    given = known.text if is_plain else f"{name}={known.text}"
    return name, (
        add_parameter(callee.file, function, name, len(positional)),
        add_argument(caller.file, call, given),
    )


def _has_parameter(function: code.Function, name: str) -> bool:
    return any(each.name == name for each in function.parameters)
