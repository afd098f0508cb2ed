"""Finds optimizers that an engine does not take with its configuration."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, RunView, Severity, engines, objects


def check(run: RunView) -> Iterable[Finding]:
    """One finding per engine."""
    for engine in engines(run):
        handed = objects(engine.wrap.operands.get("optimizer"), "optimizer")
        if len(handed) != 1 or handed[0].definition is not None or handed[0].api is None:
            continue
        (optimizer,) = handed
        made = (Evidence("the optimizer is made here", optimizer.location),)
        name = (optimizer.api or "").rpartition(".")[2]
        if engine.has("steps_on_host") and not optimizer.traits.get("for_host"):
            message = f"Crash: the configuration offloads the optimizer to the host, and `{name}` is not made for that"
            yield Finding(message, engine.wrap.location, made)
        elif engine.has("brings_optimizer"):
            message = f"Wrong result: the configuration names an optimizer, too, and `{name}` is used without a word"
            yield Finding(message, engine.wrap.location, made, severity=Severity.WARNING)
