"""Whether the places that prove a finding belong to one execution of the program."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from ddl_lint.analysis.values.conditions import Condition, consequences, denied
from ddl_lint.analysis.values.contexts import branches
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.analysis.values.visitors import is_repeatable, parts
from ddl_lint.analysis.view import RunView
from ddl_lint.finding import Finding
from ddl_lint.program.trace import Context
from ddl_lint.program.values import Apply, Const, DeviceCount, Flag, Items, Setting, Symbol, Value, WorldSize
from ddl_lint.source.span import Location


def never_together(run: RunView, finding: Finding) -> bool:
    """Whether no execution comes both to the place of a finding and to one of those that prove it: they are under
    opposite truths of one condition, on which the ranks agree and which stays what it is.
    """
    around = contexts_at(run, finding.location)
    return bool(around) and any(
        bool(others) and all(_apart(one, other) for one in around for other in others)
        for others in (contexts_at(run, evidence.location) for evidence in finding.evidence)
    )


def contexts_at(run: RunView, location: Location) -> list[Context]:
    """Under which circumstances something happens at a place; at one in a call, such as an argument, that call does,
    and at a call of a function of the project what happens in it.
    """
    by_place = run.once(_by_place)
    if location in by_place:
        return by_place[location]
    if (calls := run.once(_by_call).get(location)) is not None:
        return calls
    around = [place for place in by_place if place.covers(location)]
    return by_place[min(around, key=lambda place: place.end - place.start)] if around else []


def _by_place(run: RunView) -> Mapping[Location, list[Context]]:
    found: dict[Location, list[Context]] = defaultdict(list)
    for event in run.all_events:
        found[event.location].append(event.context)
    return found


def _by_call(run: RunView) -> Mapping[Location, list[Context]]:
    found: dict[Location, list[Context]] = defaultdict(list)
    seen: set[Context] = set()
    for event in run.all_events:
        for node in event.context.chain():
            if node in seen:
                break
            seen.add(node)
            if node.kind == "call":
                found[node.location].append(node)
    return found


def _apart(one: Context, other: Context) -> bool:
    chosen = {place: node.arm for place, node in _placed(one)}
    if any(chosen.get(place, node.arm) is not node.arm for place, node in _placed(other)):
        return True
    known = dict(_known(one))
    return any(denied(condition, known) for condition in _known(other))


def _placed(context: Context) -> Iterator[tuple[tuple[int, Location], Context]]:
    """The conditions around a place, by where they are asked and under which circumstances."""
    return (((id(node.parent), node.location), node) for node in _common(context))


def _known(context: Context) -> Iterator[Condition]:
    for node in _common(context):
        if node.value is not None and is_repeatable(node.value):
            yield from consequences(node.value, node.arm)


def _common(context: Context) -> Iterator[Context]:
    """The conditions whose truth is the same in all processes, and each time that the program comes there."""
    for node in branches(context):
        if node.value is None or tags_of(node.value) & RANK_TAGS:
            continue
        if _is_set_once(node.value) or not any(each.kind in _REPEATS for each in node.chain()):
            yield node


_REPEATS = ("loop", "callback")


def _is_set_once(condition: Value) -> bool:
    """Whether a condition is made of nothing but what is set before the program starts."""
    return all(
        isinstance(part, _SET_ONCE) or (isinstance(part, Apply) and part.operator != "element")
        for part in parts(condition)
    )


_SET_ONCE = (Const, Setting, Flag, WorldSize, DeviceCount, Symbol, Items)
