"""Finds variables in the exec form of commands."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ddl_lint.rulekit import Finding, JobsView, Launch, Word

_SHELL = re.compile(r"(?<![$\\])\$(?:\{(\w+)[^}]*\}|([A-Za-z_]\w*))")
_ESCAPED = re.compile(r"\$\$(?:\{(\w+)\}|([A-Za-z_]\w*))")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per command, at the first such word."""
    for launch in project.launches:
        if project.jobs.text_of(launch) is not None or not _is_list(launch):
            continue
        if launch.host.kind == "kubernetes" and _is_template(project, launch):
            continue
        pattern = _ESCAPED if launch.host.kind == "compose" else _SHELL
        for word in launch.command.words:
            match = pattern.search(_written(word))
            if match is not None:
                name = match[1] or match[2]
                right = f"; Kubernetes expands `$({name})`" if launch.host.kind == "kubernetes" else ""
                shell = 'Let a shell run it: `["sh", "-c", "exec ..."]`.'
                advice = f"Write `$({name})`." if launch.host.kind == "kubernetes" else shell
                yield Finding(
                    f"no shell expands `{match.group()}` in a command in list form{right}",
                    word.location,
                    help=advice,
                )
                break


def _is_template(project: JobsView, launch: Launch) -> bool:
    """Whether a file has such variables in other places, too: something fills them in before Kubernetes sees it."""
    text = project.jobs.files[launch.host.path].text
    words = launch.command.words
    start, end = words[0].location.start, words[-1].location.end
    return any(not start <= match.start() < end for match in _SHELL.finditer(text))


def _is_list(launch: Launch) -> bool:
    return launch.host.kind in ("dockerfile", "compose", "kubernetes")


def _written(word: Word) -> str:
    return word.source
