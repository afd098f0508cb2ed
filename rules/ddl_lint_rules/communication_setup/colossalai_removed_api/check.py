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
            message = "Crash: the launch functions take no `config` since Colossal-AI 0.4"
            yield Finding(
                message, event.location, help="Remove `config`; its settings are arguments of the plugin now."
            )
        elif event.kind == "delegate" and event.api == "colossalai.initialize":
            message = "Crash: `colossalai.initialize` was removed in Colossal-AI 0.4"
            yield Finding(message, event.location, help="Use a `Booster`: `booster.boost(model, optimizer, ...)`.")
