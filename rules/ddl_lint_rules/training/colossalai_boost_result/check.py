"""Finds boosted models that are dropped, and results that do not fit their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Const, Event, Finding, Items, RunView, called_name, named

_FRAMEWORK = "colossalai"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    for boost in run.events("prepare"):
        if run.api.framework(boost.api) == _FRAMEWORK and isinstance(boost.result, Items):
            yield from list(_misused(run, boost, len(boost.result.items)))[:1]


def _misused(run: RunView, boost: Event, size: int) -> Iterator[Finding]:
    for event in run.events("unpack", "drop_result"):
        if event.operands.get("value") != boost.result:
            continue
        count = event.operands.get("count")
        if event.kind == "drop_result":
            call = named("boost", called_name, run, boost.location)
            message = f"Wrong result: the result of `{call}` is dropped, so each rank trains its own copy of the model"
            yield Finding(message, event.location)
        elif isinstance(count, Const):
            call = named("boost", called_name, run, boost.location)
            message = f"Crash: `{call}` returns {size} objects, but is unpacked into {count.value} names"
            yield Finding(message, event.location)
