"""The conditions, loops and context managers around a place of a program."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import Object, Unknown


def branches(context: Context) -> Iterator[Context]:
    """The conditions under which the code runs, innermost first."""
    return (node for node in context.chain() if node.kind == "branch")


def rank_guards(context: Context) -> list[Context]:
    """The conditions that let only some ranks through, innermost first."""
    return [node for node in branches(context) if node.value is not None and tags_of(node.value) & RANK_TAGS]


def excludes(first: Context, second: Context) -> bool:
    """Whether two places cannot both run: they are in different arms of one condition."""
    arms: dict[tuple[int, int, str], set[bool]] = defaultdict(set)  # a test may be there twice, with what it implies
    for node in branches(first):
        arms[node.location.start, node.location.end, node.location.path].add(node.arm)
    return any(
        node.arm not in arms.get((node.location.start, node.location.end, node.location.path), (node.arm,))
        for node in branches(second)
    )


def loops(context: Context) -> list[Context]:
    """The loops around the code, innermost first."""
    return [node for node in context.chain() if node.kind == "loop"]


def in_handler(event: Event) -> bool:
    """Whether the event happens in an `except` body."""
    return any(node.kind == "handler" for node in event.context.chain())


def rescues(event: Event, attempt: Event) -> bool:
    """Whether an event happens where the `try` of another one has failed."""
    tries = [node.location for node in attempt.context.chain() if node.kind == "try"]
    return any(
        node.kind == "handler" and any(place.covers(node.location) for place in tries) for node in event.context.chain()
    )


def in_process(event: Event) -> Context | None:
    """The place where the process of the event was started, if the program itself starts it."""
    return next((node for node in event.context.chain() if node.kind == "process"), None)


def with_contexts(context: Context) -> Iterator[Object]:
    """The context managers around the code, as far as they are objects."""
    for node in context.chain():
        if node.kind == "with" and isinstance(node.value, Object):
            yield node.value


def records_gradients(context: Context) -> bool:
    """Whether gradients may go back through what is computed here: no `with torch.no_grad()` around it."""
    return not any(made.traits.get("no_gradients") for made in with_contexts(context))


def is_one_of_several(event: Event) -> bool:
    """Whether an event is about one of several possible values, and no condition of the code chooses among them."""
    return any(node.location == event.location for node in branches(event.context))


def undecided(event: Event) -> Iterator[Context]:
    """The conditions around an event of which the distributed run does not decide the truth."""
    return (node for node in branches(event.context) if not node.assumed)


def is_unread(node: Context) -> bool:
    """Whether a condition represents the line of a block that the repair of a broken text could not read."""
    value = node.value
    origin = value.origin if isinstance(value, Unknown) else None
    return node.kind == "branch" and isinstance(origin, tuple) and origin[:1] == ("name",) and origin[-1:] == ("_",)
