"""Finds addresses that are computed once for each task."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ddl_lint.rulekit import Command, Evidence, Finding, JobsView, Location, Word, nodes_of

_OWN = re.compile(r"\$\(\s*hostname\b|`\s*hostname\b|\$\{?HOSTNAME\b|\$\{?SLURMD_NODENAME\b|\$\{?HOST\b")
_RANDOM = re.compile(r"\$\{?RANDOM\b|shuf\s|free_port")
_NAMES = {"MASTER_ADDR": _OWN, "MASTER_PORT": _RANDOM}


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per variable or option, where it is written."""
    for launch in project.launches:
        outer = launch.command.per_task
        srun = launch.step("srun")
        nodes = nodes_of(project, launch)
        if outer is None or srun is None or nodes is None or nodes.value < 2 or not _is_in(outer.words[0].value):
            continue
        evidence = (Evidence(f"the job has {nodes.value} nodes", nodes.place),)
        for name, pattern in _NAMES.items():
            word = launch.command.environment(name)
            if word is not None and _is_own(word, pattern) and _is_inside(word.location, outer):
                what = "address" if name == "MASTER_ADDR" else "port"
                message = f"each task computes its own `{name}`, so {nodes.value} nodes wait at different {what}es"
                yield Finding(message.replace("portes", "ports"), word.location, evidence)
        launcher = launch.launcher
        for role in ("address", "endpoint"):
            option = launcher.role(role) if launcher is not None else None
            if option is not None and option.value is not None and _is_own(option.value, _OWN):
                message = f"each task passes its own machine as `{option.spelling}`, so the nodes never meet"
                yield Finding(message, option.location, evidence)


def _is_in(program: str | None) -> bool:
    return program is not None and program.rpartition("/")[2] == "srun"


def _is_inside(place: Location, outer: Command) -> bool:
    """Whether a place is in the text that each task reads."""
    return place.path == outer.location.path and outer.location.start <= place.start < outer.location.end


def _is_own(word: Word, pattern: re.Pattern[str]) -> bool:
    return any(part.text is None and not part.is_from_outside and pattern.search(part.source) for part in word.parts)
