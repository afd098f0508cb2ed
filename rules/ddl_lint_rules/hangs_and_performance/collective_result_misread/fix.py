"""Asks for the handle that is waited for, or gives the argument a name under which it can be read."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    RunView,
    Unfixable,
    code,
    dotted,
    filled_argument,
    names_around,
    parameter_of,
    replace_statement,
    set_keyword,
    written_call,
)


def wait_later(run: RunView, event: Event) -> Fix:
    """`dist.all_reduce(x).wait()` to `dist.all_reduce(x, async_op=True).wait()`."""
    file, call, _ = written_call(run, event)
    name = parameter_of(run, event.api, "asynchronous")
    if name is None:
        raise Unfixable("the call has no option to return a handle")
    return Fix("Pass async_op=True", (set_keyword(file, call, name, "True"),), Applicability.SAFE)


def take_result(run: RunView, event: Event) -> Fix:
    """`hvd.allreduce(loss)` to `loss = hvd.allreduce(loss)`."""
    file, call, place = written_call(run, event)
    statement = place.statement
    first = call.args[0] if call.args else None
    if not isinstance(statement, code.Evaluate) or statement.value is not call or not isinstance(first, code.Name):
        raise Unfixable("the call is part of another statement")
    return Fix(
        f"Assign the result to `{first.id}`",
        (file.edit(call.start, call.start, f"{first.id} = "),),
        Applicability.UNSAFE,
        "The call may only be there to wait for the other ranks",
    )


def keep_argument(run: RunView, event: Event) -> Fix:
    """`broadcast_object_list([config])` to a list with a name, out of which `config` is read again."""
    file, call, place = written_call(run, event)
    listed = filled_argument(run, event, call)
    statement = place.statement
    if not isinstance(listed, code.Display) or not listed.items:
        raise Unfixable("cannot tell where the result should be read")
    read = [file.source(item) for item in listed.items if dotted(item) is not None]
    if isinstance(statement, code.Assign) and statement.value is call:
        read = [file.source(target) for target in statement.targets]
    elif not isinstance(statement, code.Evaluate) or statement.value is not call:
        raise Unfixable("the call is part of another statement")
    if len(read) != len(listed.items):
        raise Unfixable("cannot tell where the result should be read")
    taken = names_around(place)
    name = next(name for name in ("shared", "box", "received_objects", "shared_objects_") if name not in taken)
    made = file.text[call.start : listed.start] + name + file.text[listed.end : call.end]
    back = f"{read[0]} = {name}[0]" if len(read) == 1 else f"{', '.join(read)} = {name}"
    lines = f"{name} = {file.source(listed)}\n{made}\n{back}"
    return Fix("Assign the list to a variable and read from that", replace_statement(place, lines), Applicability.SAFE)
