"""How the program itself writes a rank or a world size at a place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from ddl_lint.analysis.values.contexts import in_process
from ddl_lint.analysis.view import RunView
from ddl_lint.program.event_types import ReadEnvironment
from ddl_lint.program.trace import Context, Event, Spelling
from ddl_lint.program.values import Const, Value


def spelling_of(run: RunView, value: Value, event: Event) -> str | None:
    """A name, or an attribute of one, that surely holds a value where an event happens; None when there is none.

    `rank` is better than `args.rank`, and what the function has is better than what its module has.
    """
    found = spelled(run, value, event)
    return None if found is None else found.text


def spelled(run: RunView, value: Value, event: Event) -> Spelling | None:
    """The spelling that `spelling_of` tells, with what is known of it."""
    found = list(_holding(run, value, event))
    return min(found, key=lambda each: (each.function is None, "." in each.text, -each.order)) if found else None


def without_launcher(run: RunView) -> int | None:
    """What the launcher's variable says of the rank in a script that no launcher started.

    It is the default of the read, as in `int(os.environ.get("RANK", -1))`; None where reading it fails then.
    """
    for event in run.events(ReadEnvironment):
        variable, default = event.variable, event.default
        meaning = run.api.conventions.environment.get(variable.value) if isinstance(variable, Const) else None
        if meaning is None or (meaning.kind, meaning.value) != ("rank", "global") or not isinstance(default, Const):
            continue
        with suppress(TypeError, ValueError):
            return int(default.value)
    return None


def _holding(run: RunView, value: Value, event: Event) -> Iterator[Spelling]:
    last: dict[tuple[bool, str], Spelling] = {}
    shadowed: set[str] = set() if event.function is None else set(event.function.bound)
    for spelling in run.spellings(event.location.path):
        if spelling.order > event.order:
            continue
        if spelling.function is event.function or spelling.function is None:
            last[spelling.function is None, spelling.text] = spelling
    for (is_global, text), spelling in last.items():
        if spelling.value != value or not _is_given(spelling.context, event):
            continue
        if is_global and event.function is not None and text.partition(".")[0] in shadowed:
            continue
        yield spelling


def _is_given(context: Context, event: Event) -> bool:
    """Whether all conditions under which a name was bound hold at an event, too."""
    around = set(event.context.chain())
    conditions = {(node.value, node.arm) for node in around if node.kind == "branch"}
    for node in context.chain():
        if node.kind == "branch" and not node.assumed and (node.value, node.arm) not in conditions:
            return False
        if node.kind in ("loop", "handler") and node not in around:
            return False
    processes = [node for node in context.chain() if node.kind == "process"]
    return not processes or in_process(event) in processes
