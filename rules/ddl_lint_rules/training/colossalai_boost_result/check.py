"""Finds boosted models that are dropped, and results that do not fit their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Const, Event, Finding, Items, RunView

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
            message = "Wrong result: the boosted model is dropped; each rank trains a copy of its own"
            yield Finding(message, event.location)
        elif isinstance(count, Const):
            message = f"Crash: `boost` gives {size} things, which do not fit into {count.value} names"
            yield Finding(message, event.location)
