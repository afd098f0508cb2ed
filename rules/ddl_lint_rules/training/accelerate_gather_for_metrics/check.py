"""Finds predictions that are gathered together with those for the samples that fill up the last batch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ddl_lint.rulekit import (
    DATA,
    NONE,
    UNIFORM,
    Event,
    Evidence,
    Finding,
    Object,
    RunView,
    always,
    called_name,
    cuts_off,
    events_after,
    events_consuming,
    is_constant,
    named,
    objects,
    objects_in,
    tags_of,
    with_fix,
    words_at,
)
from ddl_lint.rulekit.events import Backward, Collective, Delegate, Prepare
from ddl_lint_rules.training.accelerate_gather_for_metrics.fix import fix

_TWICE = "which the metric counts twice"
_IN_LOOP = (
    "Call `accelerator.gather_for_metrics(...)` in the loop, on what each batch gives; it drops the repeated samples."
)
_BY_HAND = "and cutting by hand needs batches of one size"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per gathering call."""
    if not run.is_script:
        return
    trainers = [made for event in run.events(Delegate) for made in objects(event.result, "trainer")]
    if not trainers or not all(trainer.traits.get("fills_batches") for trainer in trainers):
        return
    reported: set[Event] = set()
    for prepared in run.events(Prepare):
        if not is_constant(prepared.divides, True):
            continue
        for loader in _loaders(run, prepared):
            later = events_after(run, loader, Collective)
            for event in (*events_consuming(run, loader, Collective), *later):
                message = _fault(run, event, is_data=event in later) if event not in reported else None
                if message is not None:
                    reported.add(event)
                    call = named("gather", called_name, run, event.location)
                    finding = Finding(
                        f"`{call}` returns padding samples too, {message}",
                        event.location,
                        (
                            Evidence(
                                "its loader is prepared here, which repeats samples to fill the last batches",
                                prepared.location,
                            ),
                        ),
                    )
                    if event in later:
                        yield replace(finding, help=_IN_LOOP, unfixable="the call belongs in the loop over the loader")
                    else:
                        yield with_fix(finding, fix, run, event)


def _loaders(run: RunView, prepared: Event) -> list[Object]:
    """The prepared loaders on which nothing is trained, and that keep the last batch."""
    return [
        loader
        for loader in _prepared(prepared)
        if is_constant(loader.given.get("drop_last", NONE), None, False) and not events_consuming(run, loader, Backward)
    ]


def _prepared(event: Event) -> list[Object]:
    """The loaders that a call prepares."""
    value = event.operands.get("object")
    return [made for made in objects_in(value) if made.kind == "loader"] if value is not None else []


def _fault(run: RunView, event: Collective, *, is_data: bool) -> str | None:
    """What is wrong with a call that gathers something of each sample; None where it takes care of those that are
    repeated.
    """
    tensor = event.tensor
    module = run.module_at(event.location.path)
    if not is_constant(event.repeats, True) or tensor is None or module is None:
        return None
    if UNIFORM in tags_of(tensor) or not (is_data or always(tensor, lambda value: DATA in tags_of(value))):
        return None
    words = words_at(module, event.location)
    for_each = any(map(run.api.names_like("repetition_patterns").search, words))
    if not for_each and any(map(run.api.names_like("figure_patterns").search, words)):
        return None
    functions = {node.function for node in event.context.chain() if node.kind in ("call", "callback", "process")}
    bodies = [function.body for function in functions if function is not None] or [module.body]
    if not any(map(cuts_off, bodies)):
        return _TWICE
    return _BY_HAND if for_each else None
