"""Finds groups that are created though the program, or a library, has created the default group before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    RunView,
    callee,
    contradicts,
    excludes,
    in_handler,
    in_process,
    is_constant,
    is_mode_guarded,
    with_fix,
)
from ddl_lint.rulekit.events import DestroyProcessGroup, InitProcessGroup, WrapModel
from ddl_lint_rules.communication_setup.deepspeed_double_init_process_group.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    if not run.is_script:
        return
    for event in run.events(InitProcessGroup):
        if is_constant(event.tolerant, True) or in_handler(event) or is_mode_guarded(event):
            continue
        earlier = (each for each in run.events(InitProcessGroup, WrapModel) if _makes(run, each, event))
        before = next(earlier, None)
        if before is not None and not _is_destroyed(run, before, event):
            finding = Finding(
                f"the default process group exists already: `{callee(run, before)}` "
                f"({run.place(before.location, event.location)}) has created it",
                event.location,
                (Evidence("the process group is created here first", before.location),),
            )
            if _is_by_library(before):
                yield with_fix(finding, fix, run, before, event)
            else:
                yield replace(finding, unfixable="cannot tell which of the two calls has the right settings")


def _makes(run: RunView, before: Event, event: Event) -> bool:
    """Whether the group has surely been created before the event, in the same process."""
    return (
        "process_group" in before.provides
        and before.location != event.location
        and not run.api.group_of(before.api)  # a library with processes of its own may be set up again
        and not run.api.group_of(event.api)
        and (_is_by_library(before) or _is_plain(before, event))
        and before.order < event.order
        and in_process(before) is in_process(event)
        and _comes_with(before, event)
        and not excludes(before.context, event.context)
        and not contradicts(before.context, event.context)
    )


def _comes_with(before: Event, event: Event) -> bool:
    """Whether whoever gets to the event has come by the call before: under no condition that is not around both."""
    around = list(event.context.chain())
    return not any(
        (node.kind == "branch" and not node.assumed) or node.kind in ("handler", "callback")
        for node in before.context.chain()
        if node not in around
    )


def _is_plain(before: Event, event: Event) -> bool:
    """Whether two calls of the program are two statements of one function, and make the group in the same way."""
    return (
        before.function is event.function
        and before.location != event.location
        and before.api == event.api
        and before.context.parent is event.context.parent
    )


def _is_by_library(before: Event) -> bool:
    return before.kind == "wrap_model" or is_constant(before.operands.get("tolerant"), True)


def _is_destroyed(run: RunView, before: Event, event: Event) -> bool:
    ends = (each for each in run.events(DestroyProcessGroup) if each.group is None)
    return any(before.order < each.order < event.order for each in ends)
