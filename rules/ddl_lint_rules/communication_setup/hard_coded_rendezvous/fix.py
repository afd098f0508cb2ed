"""Leaves the address and the numbers of a group to the launcher."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Argument,
    Event,
    Fix,
    Rank,
    RunView,
    Unfixable,
    WorldSize,
    alternatives,
    argument_of,
    code,
    file_of,
    positional_of,
    remove_arguments,
    replace_statement,
)


def leave_out(run: RunView, init: Event) -> Fix:
    """The creation of the group without its address, and without numbers that come from the environment anyway."""
    file = file_of(run, init.location)
    call = file.node(init.location, code.Call)
    gone: list[Argument] = []
    for role in ("init_method", "rank", "world_size"):
        given = argument_of(run, init.api, call, role)
        if given is None:
            if role == "init_method":
                raise Unfixable("the address is not a literal in the call")
        elif role == "init_method" or _is_from_environment(init, role):
            gone.append(given)
    edits = remove_arguments(file, call, gone, positional_of(run, init.api))
    return Fix("Remove the address, rank and world size from the call", edits, Applicability.SAFE)


def _is_from_environment(init: Event, role: str) -> bool:
    return all(
        isinstance(each, (Rank, WorldSize)) and each.source == "environment" and each.scope == "global"
        for each in alternatives(init.operands[role])
    )


def only_if_missing(run: RunView, event: Event) -> Fix:
    """`os.environ.setdefault(name, value)` for `os.environ[name] = value`."""
    place = file_of(run, event.location).place(event.location)
    statement, file = place.statement, place.file
    if not isinstance(statement, code.Assign) or len(statement.targets) != 1 or statement.value is None:
        raise Unfixable("the variable is not set in its own statement")
    target = statement.targets[0]
    if not isinstance(target, code.Subscript):
        raise Unfixable("the variable is not set in its own statement")
    owner, name, value = (file.source(each) for each in (target.value, target.index, statement.value))
    return Fix(
        "Set the variable with os.environ.setdefault",
        replace_statement(place, f"{owner}.setdefault({name}, {value})"),
        Applicability.SAFE,
    )
