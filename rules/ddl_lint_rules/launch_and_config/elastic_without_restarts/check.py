"""Finds elastic launches that end with the first node that is lost."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, JobsView, Launch, Severity

_RANGE = re.compile(r"(\d+):(\d+)")
_RESTARTS = "max_restarts"


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per launch, at the range of nodes."""
    for launch in project.launches:
        launcher = launch.launcher
        nodes = launcher.role("nodes") if launcher is not None else None
        if launcher is None or nodes is None or nodes.value is None or launcher.is_open or _may_restart(launch):
            continue
        asked = _RANGE.fullmatch(nodes.value.value or "")
        if asked is not None and int(asked[1]) < int(asked[2]):
            yield Finding(
                f"`{nodes.value.value}` nodes, but no restarts: the job ends when one node is lost",
                nodes.location,
                (Evidence("this launch sets no number of restarts", launcher.word.location),),
                severity=Severity.INFO,
            )


def _may_restart(launch: Launch) -> bool:
    launcher = launch.launcher
    given = launcher is None or launcher.given(_RESTARTS) is not None
    return given or launch.command.environment("PET_MAX_RESTARTS") is not None
