"""Finds files of parallel models, which nothing but the same parallel model can read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import Event, Evidence, Finding, Object, RunView, objects, objects_in


def check(run: RunView) -> Iterable[Finding]:
    """One finding per file."""
    for wrap in run.events("wrap_model"):
        for made in objects(wrap.result, "model") if wrap.traits.get("unsavable") else ():
            for save in _saves(run, made):
                message = "Crash: the parallel model is saved, with modules inside; save the one it was made of"
                yield Finding(message, save.location, (Evidence("it is made here", wrap.location),))


def _saves(run: RunView, made: Object) -> Iterator[Event]:
    """Where a model is saved, directly or by a callback of its training."""
    called = {
        callback
        for fit in run.events("fit")
        if made in objects(fit.operands.get("model"), "model") and "callbacks" in fit.operands
        for callback in objects_in(fit.operands["callbacks"])
    }
    for save in run.events("save"):
        if made in objects(save.operands.get("object")) or any(each in called for each in objects(save.result)):
            yield save
