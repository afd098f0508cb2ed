"""Averages the metrics before a callback looks at them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ddl_lint.rulekit import (
    Applicability,
    File,
    Fix,
    Object,
    Place,
    RunView,
    Unfixable,
    around,
    code,
    dotted,
    file_of,
    insert_before,
    insert_item,
    move_before,
    move_item,
    remove,
    render_idiom,
    scope_of,
    walk,
)


class _Item(NamedTuple):
    """A callback where it is written into a list."""

    display: code.Display
    item: code.Expression


def average_first(run: RunView, late: Object, reader: Object) -> Fix:
    """The callback that averages before the first one that looks at metrics."""
    file = file_of(run, late.location)
    if reader.location.path != late.location.path:
        raise Unfixable("the callbacks come from several files")
    place, other = file.place(late.location), file.place(reader.location)
    readers = list(_items(file, other, reader))
    for late_item in _items(file, place, late):
        for item in readers:
            if item.display is late_item.display:
                edits = move_item(file, item.display, late_item.item, item.item)
                return Fix("Move MetricAverageCallback to the front", edits, Applicability.SAFE)
    if not _is_addition(place.statement):
        raise Unfixable("the list is built elsewhere")
    target = next((each for each in around(other) if each.block is place.block and each.index < place.index), None)
    if target is None:
        raise Unfixable("the list is built in several places")
    if isinstance(target.statement, code.Assign):
        item = next((each.item for each in readers if target.start <= each.item.start < target.end), None)
        if item is None:
            raise Unfixable("the list is built elsewhere")
        new = file.source(file.node(late.location, code.Call))
        return Fix(
            "Move MetricAverageCallback to the front",
            (insert_item(file, item, new), *remove(place)),
            Applicability.SAFE,
        )
    return Fix("Move MetricAverageCallback to the front", move_before([place], target), Applicability.SAFE)


def average(run: RunView, api: str, steering: Object) -> Fix:
    """A callback that averages the metrics, before the one that steers by them."""
    file = file_of(run, steering.location)
    place = file.place(steering.location)
    said = render_idiom(run, place, api, "average_metrics")
    item = next((each.item for each in _items(file, place, steering)), None)
    if item is not None and not _is_addition(place.statement):
        edits = (insert_item(file, item, said.text),)
    else:
        statement = place.statement
        call = statement.value if isinstance(statement, code.Evaluate) else None
        holder = call.func if isinstance(call, code.Call) and _is_addition(statement) else None
        if not isinstance(holder, code.Attribute) or holder.attr != "append":
            raise Unfixable("the list is built elsewhere")
        edits = insert_before(place, f"{file.source(holder)}({said.text})")
    return Fix(
        "Add MetricAverageCallback before the callback",
        (*said.imports, *edits),
        Applicability.UNSAFE,
        "the callbacks then see the averages over all ranks",
    )


def _items(file: File, place: Place, made: Object) -> Iterator[_Item]:
    """The elements of lists that are a callback: the call that makes it, or the name that it is given."""
    call = file.node(made.location, code.Call)
    statement = place.statement
    name = None
    if isinstance(statement, code.Assign) and statement.value is call and len(statement.targets) == 1:
        name = dotted(statement.targets[0])
    for node in walk(*scope_of(place)):
        if isinstance(node, code.Display):
            for item in node.items:
                if item is call or (name is not None and dotted(item) == name):
                    yield _Item(node, item)


def _is_addition(statement: code.Statement) -> bool:
    """Whether a statement does nothing but add one element to a list: `x.append(made)` or `x += [made]`."""
    if isinstance(statement, code.Augment):
        return isinstance(statement.value, code.Display) and len(statement.value.items) == 1
    call = statement.value if isinstance(statement, code.Evaluate) else None
    if not isinstance(call, code.Call) or not isinstance(call.func, code.Attribute) or len(call.args) != 1:
        return False
    (given,) = call.args
    if call.func.attr == "extend":
        return isinstance(given, code.Display) and len(given.items) == 1
    return call.func.attr == "append"
