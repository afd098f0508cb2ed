"""Gives all ranks the value of rank 0 before they ask for it."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.rulekit import (
    Alternatives,
    Applicability,
    Apply,
    Context,
    Edit,
    Event,
    Fix,
    Found,
    Location,
    Object,
    Place,
    RunView,
    Span,
    Unfixable,
    Value,
    asked_at,
    child_nodes,
    code,
    decide_together,
    dotted,
    file_of,
    insert_after,
    insert_before,
    meet_before,
    names_bound,
    set_at,
    share_name,
    walk,
)


def fix(run: RunView, found: Found) -> Fix:
    """The value is sent to all ranks before the condition; where it has no name, what the condition is on rank 0."""
    divergence = found.divergence
    guard = divergence.guard
    waits = divergence.step.event or (
        divergence.next_iteration.event if divergence.next_iteration is not None else None
    )
    if guard is None or waits is None:
        raise Unfixable("cannot tell which framework the ranks use to communicate")
    if (divergence.reaching if divergence.reaching.first.rank == 0 else divergence.lacking).members[1:]:
        raise Unfixable("not only rank 0 has the value")
    asked = _asked_of(run, guard)
    name = _name(asked[0], asked[1], guard)
    if name is None:
        place = asked_at(run, guard)
        edits = decide_together(run, place, guard, waits, "first", ("agreed", "all_agreed"))
    else:
        edits = _shared(run, found, asked[0], guard, waits, name)
    return Fix(
        f"Broadcast `{name}` from rank 0" if name else "Broadcast the decision of rank 0",
        edits,
        Applicability.UNSAFE,
        "The ranks communicate each time the condition is evaluated, and rank 0 decides for all",
    )


def _asked_of(run: RunView, guard: Context) -> tuple[Place, code.Expression]:
    """The statement that asks, and what it asks."""
    place = file_of(run, guard.location).place(guard.location)
    statement = place.statement
    if isinstance(statement, (code.If, code.While)):
        return place, statement.test
    if isinstance(statement, code.For):
        return place, statement.iterable
    raise Unfixable("the condition is not an `if` or `while` statement")


def _name(place: Place, asked: code.Expression, guard: Context) -> str | None:
    """The variable that the condition is about; None where there is none, or several."""
    counted = asked.args[0] if isinstance(asked, code.Call) and len(asked.args) == 1 else asked
    names = set(_names(counted if isinstance(place.statement, code.For) else asked))
    set_here = {name for location in set_at(guard) for name in _bound_under_guard(place, location) if name in names}
    if set_here:
        names = set_here
    elif any(isinstance(each, code.Call) for each in walk(asked)) and not isinstance(place.statement, code.For):
        return None  # a function tells
    return names.pop() if len(names) == 1 else None


def _names(node: object) -> Iterator[str]:
    """The names in an expression, with their attributes (`self.stop`); not those that are handed to functions."""
    name = dotted(node)
    if name is not None:
        yield name
    elif not isinstance(node, code.Call):
        for child in child_nodes(node):
            yield from _names(child)


def _bound_under_guard(place: Place, location: Location) -> set[str]:
    """The names that the statement at a location binds, if it is under a condition in the function of the place."""
    if location.path != place.file.document.path:
        return set()
    other = place.file.place(location)
    if other.function is not place.function or other.outer(code.If) is None:
        return set()
    return names_bound(other.statement)


def _may_be_object(value: Value) -> bool:
    """Whether a condition asks about something that was constructed: it may be large, or belong to its process."""
    if isinstance(value, Apply):
        asks = value.operator in ("not", "is", "is not", "==", "!=", "and", "or")
        return asks and any(map(_may_be_object, value.operands))
    if isinstance(value, Alternatives):
        return any(_may_be_object(option) for _, option in value.options)
    return isinstance(value, Object)


def _shared(run: RunView, found: Found, place: Place, guard: Context, waits: Event, name: str) -> tuple[Edit, ...]:
    asked = [value for value in (guard.test, guard.value) if value is not None]
    if any(map(_may_be_object, asked)):
        raise Unfixable(f"`{name}` holds an object that cannot simply be sent to other ranks")
    if place.is_elif:
        raise Unfixable("there is no place for a statement before an `elif`")
    meet_before(run, guard)
    if not isinstance(place.statement, code.While):
        wording = share_name(run, place, guard, waits, name)
        return (*insert_before(place, wording.text), *wording.imports)
    body = place.statement.body
    if any(isinstance(each, code.Jump) and each.kind == "continue" for each in walk(*body)):
        raise Unfixable("a `continue` skips the end of the loop, where the ranks would have to communicate")
    last = place.file.place(Span(body[-1].start, body[-1].end))
    wording = share_name(run, last, guard, waits, name)
    return (*insert_after(last, wording.text), *wording.imports)
