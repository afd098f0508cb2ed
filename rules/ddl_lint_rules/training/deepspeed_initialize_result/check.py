"""Finds engines that are dropped when they are made, or taken for something else than one of a tuple."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ddl_lint.rulekit import (
    Const,
    Evidence,
    Finding,
    Items,
    RunView,
    called_name,
    catches,
    engines,
    named,
    objects,
    with_fix,
)
from ddl_lint.rulekit.events import Backward, DropResult, Forward, MissingAttribute, Unpack, WrapModel
from ddl_lint_rules.training.deepspeed_initialize_result.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    for wrap in dict.fromkeys(engine.wrap for engine in engines(run)):
        if isinstance(wrap.result, Items):
            yield from list(_misused(run, wrap, len(wrap.result.items)))[:1]


def _works_bare(run: RunView, wrap: WrapModel) -> bool:
    """Whether the model is run as it was before it was prepared, or may be: it cannot be seen."""
    models = objects(wrap.model)
    later = [event for event in run.events(Forward, Backward) if event.order > wrap.order]
    return any(
        event.kind == "backward" if not models else any(made in models for made in objects(event.operands.get("model")))
        for event in later
    )


def _misused(run: RunView, wrap: WrapModel, size: int) -> Iterator[Finding]:
    call = named("initialize", called_name, run, wrap.location)
    for event in run.events(Unpack, DropResult, MissingAttribute):
        if event.operands.get("value", event.operands.get("object")) != wrap.result or catches(
            event.context, "ValueError", "AttributeError", "TypeError", "Exception"
        ):
            continue
        if event.kind == "drop_result":
            if not _works_bare(run, wrap):
                continue
            finding = Finding(
                f"the engine that `{call}` returns is dropped; each rank trains the original model alone",
                event.location,
                consequence="wrong-result",
            )
            yield replace(finding, unfixable="the training code has to use the engine from here on")
        elif event.kind == "unpack":
            count = event.operands["count"]
            assert isinstance(count, Const)
            message = f"`{call}` returns {size} objects, but is unpacked into {count.value} names"
            yield with_fix(Finding(message, event.location), fix, run, event.location, size)
        else:
            name = event.operands["name"]
            assert isinstance(name, Const)
            use = "called" if name.value == "__call__" else f"used for `{name.value}`"
            finding = Finding(
                f"`{call}` returns a tuple of {size} objects; the engine is its first element",
                wrap.location,
                (Evidence(f"the tuple is {use} here", event.location),),
            )
            yield with_fix(finding, fix, run, wrap.location, size)
