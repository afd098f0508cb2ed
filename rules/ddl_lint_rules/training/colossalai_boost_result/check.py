"""Finds boosted models that are dropped, and results that do not fit their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Claim, Const, Event, Finding, Items, RunView, Value, objects, with_fix
from ddl_lint.rulekit.events import DropResult, Prepare, RebindSwapped, Unpack
from ddl_lint_rules.training.colossalai_boost_result.fix import fix_dropped, fix_names

_FRAMEWORK = "colossalai"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    for boost in run.events(Prepare):
        if run.api.framework(boost.api) == _FRAMEWORK and isinstance(boost.result, Items):
            yield from list(_misused(run, boost, len(boost.result.items)))[:1]


def _misused(run: RunView, boost: Event, size: int) -> Iterator[Finding]:
    for event in run.events(Unpack, DropResult):
        if event.value != boost.result:
            continue
        count = event.operands.get("count")
        if event.kind == "drop_result":
            message = "the result of `boost` is dropped, so each rank trains its own copy of the model"
            yield with_fix(Finding(message, event.location), fix_dropped, run, boost)
        elif isinstance(count, Const):
            message = Claim(f"`boost` returns {size} objects, but is unpacked into {count.value} names", "crash")
            yield with_fix(Finding(message, event.location), fix_names, run, boost, event.location)
    mixed = next((event for event in run.events(RebindSwapped) if _is_of(boost, event)), None)
    if mixed is not None:
        message = "`boost` returns model, optimizer, criterion, loader and schedule, in this order"
        yield with_fix(Finding(message, mixed.location), fix_names, run, boost, mixed.location)


def _is_of(boost: Event, mixed: RebindSwapped) -> bool:
    """Whether a name gets another one of the things that a call returns than the one that it referred to."""
    assert isinstance(boost.result, Items)
    given = [*boost.result.items, *(part for item in boost.result.items for part in _inside(item))]
    return mixed.order > boost.order and any(mixed.object is each for each in given)


def _inside(item: Value) -> Iterator[Value]:
    for made in objects(item):
        yield from (made.given[name] for name in ("module", "optim") if name in made.given)
