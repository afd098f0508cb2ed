"""Finds calls that an engine of this kind refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Engine, Event, Evidence, Finding, RunView, catches, engines, is_call, meets


def check(run: RunView) -> Iterable[Finding]:
    """One finding per engine and fault."""
    for engine in engines(run):
        for event, message in _refused(run, engine):
            yield Finding(message, event.location, (Evidence("the engine is made here", engine.wrap.location),))


def _refused(run: RunView, engine: Engine) -> Iterator[tuple[Event, str]]:
    if engine.has("staged"):
        if engine.has("splits_gradients"):
            yield engine.wrap, "a model in pipeline stages cannot be trained with gradients that are divided as well"
        steps = run.events("forward", "backward", "optimizer_step", "skip_synchronization")
        calls = [event for event in steps if is_call(engine, event) and _is_own(run, engine, event)]
        yield from ((event, "a model in pipeline stages is trained by `train_batch()` only") for event in calls[:1])
    elif engine.has("splits_gradients"):
        for event in run.events("skip_synchronization"):
            if is_call(engine, event) and _is_own(run, engine, event):
                yield event, "where each rank keeps a part of the gradients only, their exchange cannot be put off"


def _is_own(run: RunView, engine: Engine, event: Event) -> bool:
    return meets(run, engine, event) and not catches(event.context, "Exception", "RuntimeError", "AssertionError")
