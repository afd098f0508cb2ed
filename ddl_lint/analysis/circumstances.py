"""Questions about the circumstances of an event: who runs it, how often, inside what."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.analysis.operations import RANK_TAGS, tags_of
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import Alternatives, Apply, Const, Flag, Items, Object, Table, Value


def branches(context: Context) -> Iterator[Context]:
    """The conditions under which the code runs, innermost first."""
    return (node for node in context.chain() if node.kind == "branch")


def rank_guards(context: Context) -> list[Context]:
    """The conditions that let only some ranks through, innermost first."""
    return [node for node in branches(context) if node.value is not None and tags_of(node.value) & RANK_TAGS]


def is_rank_guarded(event: Event) -> bool:
    """Whether only some ranks reach the event."""
    return bool(rank_guards(event.context))


def is_mode_guarded(event: Event, flag: str = "distributed") -> bool:
    """Whether the program asks for a mode of the run before the event: `if dist.is_initialized()`."""
    return any(node.value is not None and mentions_flag(node.value, flag) for node in branches(event.context))


def mentions_flag(value: Value, name: str) -> bool:
    """Whether a condition asks for a mode of the run."""
    return any(isinstance(part, Flag) and part.name == name for part in parts(value))


def parts(value: Value) -> Iterator[Value]:
    """A value and the values that it is made of; objects are not opened."""
    stack = [value]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, Apply):
            stack.extend(node.operands)
        elif isinstance(node, Items):
            stack.extend(node.items)
        elif isinstance(node, Table):
            stack.extend(part for pair in node.items for part in pair)
        elif isinstance(node, Alternatives):
            stack.extend(option for _, option in node.options)


def is_certain(event: Event) -> bool:
    """Whether a distributed run surely gets to the event: no undecided condition and no handler around it."""
    return not any(
        (node.kind == "branch" and not node.assumed) or node.kind in ("handler", "callback")
        for node in event.context.chain()
    )


def loops(context: Context) -> list[Context]:
    """The loops around the code, innermost first."""
    return [node for node in context.chain() if node.kind == "loop"]


def in_handler(event: Event) -> bool:
    """Whether the event happens in an `except` body."""
    return any(node.kind == "handler" for node in event.context.chain())


def in_process(event: Event) -> Context | None:
    """The place where the process of the event was started, if the program itself starts it."""
    return next((node for node in event.context.chain() if node.kind == "process"), None)


def with_contexts(context: Context) -> Iterator[Object]:
    """The context managers around the code, as far as they are objects."""
    for node in context.chain():
        if node.kind == "with" and isinstance(node.value, Object):
            yield node.value


def excludes(first: Context, second: Context) -> bool:
    """Whether two places cannot both run: they stand in different arms of one condition."""
    arms: dict[tuple[int, int, str], bool] = {}
    for node in branches(first):
        arms[(node.location.start, node.location.end, node.location.path)] = node.arm
    return any(
        arms.get((node.location.start, node.location.end, node.location.path), node.arm) is not node.arm
        for node in branches(second)
    )


def single_shot(context: Context) -> bool:
    """Whether a loop surely runs once: `for epoch in range(1)`."""
    value = context.value
    return (
        isinstance(value, Apply)
        and value.operator == "range"
        and len(value.operands) == 1
        and isinstance(value.operands[0], Const)
        and value.operands[0].value in (0, 1)
    )
