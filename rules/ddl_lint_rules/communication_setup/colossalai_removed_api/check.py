"""Finds calls of the engine of earlier releases, and arguments that `launch` does not take any more."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Finding, RunView

_FRAMEWORK = "colossalai"
_SINCE = "0.4"
"""The release without them."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    for event in run.events("init_process_group", "delegate"):
        is_ours = run.api.framework(event.api) == _FRAMEWORK
        if not is_ours or run.versions_of(event.location.path).surely_before("colossalai", _SINCE):
            continue
        if event.kind == "init_process_group" and "config" in event.surplus:
            message = "Crash: launch got an unexpected keyword argument 'config'"
            yield Finding(message, event.location)
        elif event.kind == "delegate" and event.api == "colossalai.initialize":
            yield Finding("Crash: 'module' object is not callable: the engine is gone; use a Booster", event.location)
