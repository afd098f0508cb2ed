"""Finds plugins that are made before the processes have met."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, RunView, excludes, with_fix
from ddl_lint_rules.communication_setup.colossalai_plugin_before_launch.fix import fix

_FRAMEWORK = "colossalai"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per plugin."""
    launch = next(
        (event for event in run.events("init_process_group") if run.api.framework(event.api) == _FRAMEWORK), None
    )
    for event in run.events("delegate") if launch is not None and run.is_script else ():
        is_early = launch is not None and event.order < launch.order and "process_group" in event.requires
        if launch is not None and is_early and not excludes(event.context, launch.context):
            message = "Crash: torch.distributed is not initialized: this is made before `launch`"
            evidence = (Evidence("the processes meet here", launch.location),)
            yield with_fix(Finding(message, event.location, evidence), fix, run, event, launch)
