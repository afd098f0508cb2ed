"""Ends a group where its process ends, and lets all processes shut down RPC under names of their own."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Place,
    RunView,
    Span,
    Unfixable,
    argument_of,
    around,
    branches,
    code,
    file_of,
    in_process,
    insert_after,
    mentions_flag,
    move_out,
    rank_guards,
    render_idiom,
    replace_expression,
    value_of,
    walk,
    way,
)


def end_group(run: RunView, init: Event) -> Fix:
    """The end of the group as the last thing that its process does."""
    place = _last(run, init)
    is_sure = not any(node.value is None or not mentions_flag(node.value, "main") for node in branches(init.context))
    wording = render_idiom(run, place, init.api, "end_group" if is_sure else "end_group_if_any")
    return Fix(
        "Call destroy_process_group() at the end",
        (*wording.imports, *insert_after(place, wording.text)),
        Applicability.SAFE,
    )


def _last(run: RunView, init: Event) -> Place:
    """The last statement of the process: of the block that starts it, or of the started function."""
    steps = way(run, init)
    if in_process(init) is None:
        block = _outermost(steps[0].place).block
    else:
        started = next((each for each in steps if each.entry.kind == "callback"), None)
        if started is None or started.function is None:
            raise Unfixable("cannot tell where the started process ends")
        block = started.function.body
        steps = [started]
    last = block[-1]
    ends = [
        each
        for each in run.run.exits
        if each.kind in ("exit", "return") and each.location.path == steps[0].file.document.path
    ]
    if any(last.start <= each.location.start < last.end for each in ends):
        raise Unfixable("the process exits before the end of its last statement")
    return steps[0].file.place(Span(last.start, last.end))


def _outermost(place: Place) -> Place:
    """The statement around a place that is under no condition but `if __name__ == "__main__"`: what is under another
    one ends before the program does.
    """
    places = around(place)
    for inner, outer in zip(reversed(places), [*reversed(places[:-1]), None], strict=True):
        if outer is None or _is_main_guard(outer.statement):
            return inner
    return place


def _is_main_guard(statement: code.Statement) -> bool:
    """Whether this is `if __name__ == "__main__":`."""
    return isinstance(statement, code.If) and any(
        isinstance(node, code.Name) and node.id == "__name__" for node in walk(statement.test)
    )


def own_name(run: RunView, init: Event) -> Fix:
    """The rank as a part of the name."""
    file = file_of(run, init.location)
    call = file.node(init.location, code.Call)
    name, rank = (argument_of(run, init.api, call, role) for role in ("name", "rank"))
    if name is None or rank is None:
        raise Unfixable("name and rank are not literals in the call")
    written, number = value_of(name), value_of(rank)
    if not isinstance(written, code.Literal) or not isinstance(written.value, str) or "{" in written.value:
        raise Unfixable("the name is not a literal in the call")
    if not isinstance(number, (code.Name, code.Attribute)):
        raise Unfixable("the rank is not a variable")
    text = f"f{file.quote}{written.value}{{{file.source(number)}}}{file.quote}"
    return Fix(
        "Build the name from the rank",
        (replace_expression(file, written, text),),
        Applicability.UNSAFE,
        "Callers of this agent must use its new name",
    )


def by_all(run: RunView, end: Event) -> Fix:
    """The shut-down out of the guard."""
    place = file_of(run, end.location).place(end.location)
    guard = place.outer(code.If)
    if guard is None or guard.statement.start > rank_guards(end.context)[0].location.start:
        raise Unfixable("the condition on the rank is in another function")
    return Fix(
        "Let every process call rpc.shutdown()",
        move_out(place, guard),
        Applicability.UNSAFE,
        "Cannot tell what the other processes do until then",
    )


def leave(_: RunView) -> Fix:
    """Where all agents are done depends on what they do for each other."""
    raise Unfixable("cannot tell when all agents are done")
