"""Finds settings of the runtime that come too late."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Alternatives,
    Const,
    Evidence,
    Finding,
    Items,
    RunView,
    callee,
    catches,
    follows,
    objects,
    strategies,
)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per setting, and per strategy whose devices are numbers."""
    seen: set[str] = set()
    for setting in run.providers("runtime_settings"):
        is_again = setting.api in seen  # the same value may be set twice
        seen.add(setting.api)
        device = setting.operands.get("device")
        if is_again or isinstance(device, Alternatives) or catches(setting.context, "RuntimeError", "Exception"):
            continue
        begun = next((each for each in run.providers("runtime") if follows(each, setting)), None)
        if begun is not None:
            message = f"Crash: `{callee(run, setting)}` is called after TensorFlow has been initialized"
            yield Finding(message, setting.location, (Evidence("TensorFlow is initialized here", begun.location),))
    yield from _numbered(run)


def _numbered(run: RunView) -> Iterator[Finding]:
    for made in strategies(run):
        for strategy in objects(made.result, "strategy"):
            devices = strategy.given.get("devices")
            named = devices.items if isinstance(devices, Items) else ()
            if any(isinstance(each, Const) and isinstance(each.value, int) for each in named):
                message = "Crash: a strategy takes device names such as `/gpu:0`, not numbers"
                yield Finding(message, made.location)
