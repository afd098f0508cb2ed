"""Finds groups that are created though a library has created the default group before."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    RunView,
    contradicts,
    excludes,
    in_handler,
    in_process,
    is_certain,
    is_constant,
    is_mode_guarded,
    with_fix,
)
from ddl_lint_rules.communication_setup.deepspeed_double_init_process_group.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    if not run.is_script:
        return
    for event in run.events("init_process_group"):
        if is_constant(event.operands.get("tolerant"), True) or in_handler(event) or is_mode_guarded(event):
            continue
        earlier = (each for each in run.events("init_process_group", "wrap_model") if _makes(each, event))
        before = next(earlier, None)
        if before is not None and not _is_destroyed(run, before, event):
            finding = Finding(
                "the default group exists already: it cannot be created twice",
                event.location,
                (Evidence("it is created here", before.location),),
            )
            yield with_fix(finding, fix, run, before, event)


def _makes(before: Event, event: Event) -> bool:
    """Whether a library has surely created the group before the event, in the same process."""
    by_library = before.kind == "wrap_model" or is_constant(before.operands.get("tolerant"), True)
    return (
        by_library
        and "process_group" in before.provides
        and before.order < event.order
        and in_process(before) is in_process(event)
        and is_certain(before)
        and not excludes(before.context, event.context)
        and not contradicts(before.context, event.context)
    )


def _is_destroyed(run: RunView, before: Event, event: Event) -> bool:
    return any(before.order < each.order < event.order for each in run.events("destroy_process_group"))
