"""Lets all workers make the call."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Applicability,
    Event,
    Fix,
    Found,
    RunView,
    Unfixable,
    argument_of,
    calls_under,
    code,
    depends_on_rank,
    file_of,
    move_out_of_guard,
    names_read,
    value_of,
)

_REASON = "The other workers also make the call and do the work for it"
_WRITING = frozenset({"save", "save_sharded", "write_file"})


def fix(run: RunView, found: Found) -> Fix:
    """The call before the condition; one that writes only where each worker has a path of its own."""
    for call in calls_under(run, found):
        for step in call.steps:
            if step.event is not None and _writes_over_others(run, found, step.event):
                raise Unfixable("all workers would write to the same path, and each needs its own")
    return Fix(
        "Move the call out of the condition, to all workers",
        move_out_of_guard(run, found),
        Applicability.UNSAFE,
        _REASON,
    )


def _writes_over_others(run: RunView, found: Found, event: Event) -> bool:
    if event.kind not in _WRITING or run.api.class_(event.api) is not None:
        return False  # a callback knows which worker it works for
    return not depends_on_rank(event.operands.get("path")) and not _asks_who_writes(run, found, event)


def _asks_who_writes(run: RunView, found: Found, event: Event) -> bool:
    """Whether a function makes the path of what the condition asks about, too: `worker_path(out, task)`."""
    guard = found.divergence.guard
    if guard is None or guard.location.path != event.location.path:
        return False
    file = file_of(run, event.location)
    given = argument_of(run, event.api, file.node(event.location, code.Call), "path")
    path = value_of(given) if given is not None else None
    holder = file.around(guard.location, code.If)
    asked = names_read(holder.test) if holder is not None else set[str]()
    return isinstance(path, code.Call) and bool(asked & names_read(*path.args))
