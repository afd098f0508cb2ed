"""Finds plugins that are made before the processes have met."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, RunView, callee, excludes, with_fix
from ddl_lint.rulekit.events import Delegate, InitProcessGroup
from ddl_lint_rules.communication_setup.colossalai_plugin_before_launch.fix import fix

_FRAMEWORK = "colossalai"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per plugin."""
    launch = next((event for event in run.events(InitProcessGroup) if run.api.framework(event.api) == _FRAMEWORK), None)
    for event in run.events(Delegate) if launch is not None and run.is_script else ():
        is_early = launch is not None and event.order < launch.order and "process_group" in event.requires
        if launch is not None and is_early and not excludes(event.context, launch.context):
            creates = callee(run, launch)
            message = f"`{callee(run, event)}` is called before `{creates}` has created the process group"
            evidence = (Evidence("the process group is created here", launch.location),)
            finding = Finding(message, event.location, evidence, help=f"Call `{creates}` first.")
            yield with_fix(finding, fix, run, event, launch)
