"""Requirements that only record an environment: what `pip freeze` or `conda env export` wrote, and nothing installs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from ddl_lint.analysis.jobs_view import JobsView
from ddl_lint.finding import Evidence, Finding, Severity

_FEWEST = 30
"""Pins of a list that no person has written."""

_COMPILED = re.compile(r"^[ \t]*# via\b|pip-compile|uv pip compile|--hash=", re.MULTILINE)
"""In lists that a tool has resolved in order to be installed."""

_LOCAL = re.compile(r"@ file:///|^prefix:", re.MULTILINE)
"""What holds on the machine alone on which it was written."""

_SHOWN = 5


def is_record(project: JobsView, path: str) -> bool:
    """Whether a file of requirements is only the record of an environment."""
    file = project.jobs.files.get(path)
    if file is None or file.kind not in ("requirements", "environment") or _COMPILED.search(file.text):
        return False
    pins = [pin for unit in project.requirements if unit.path == path for pin in unit.pins]
    exact = sum(pin.exact is not None or pin.is_direct for pin in pins)
    if len(pins) < _FEWEST or exact < 0.9 * len(pins):
        return False
    return _LOCAL.search(file.text) is not None or not is_installed(project, path)


def _is_idle(project: JobsView, path: str) -> bool:
    """Whether the pages of a project tell people what to do, and nothing says that they install a list."""
    file = project.jobs.files.get(path)
    is_list = file is not None and file.kind in ("requirements", "environment")
    apart = project.jobs.neighbourhood.are_apart
    has_pages = any(not apart(page, path) for page in project.jobs.pages)
    return is_list and has_pages and not is_installed(project, path)


def is_installed(project: JobsView, path: str) -> bool:
    """Whether a command of the project, a page for people or a setup script installs the requirements of a file."""
    name = re.escape(PurePosixPath(path).name)
    wanted = rf"(?<![\w-]){name}\b" if PurePosixPath(path).name not in _SETUPS else r"\s[\"']?\.(?:[\[/\s\"']|$)"
    command = re.compile(rf"(?:install|sync|create|update|-r|--requirement|--file)\b[^\n]*{wanted}", re.IGNORECASE)
    texts = {file.path: file.text for file in project.jobs.files.values() if file.path != path}
    apart = project.jobs.neighbourhood.are_apart  # what a neighbour installs is no news about this one
    if any(command.search(text) and not apart(other, path) for other, text in {**texts, **project.jobs.pages}.items()):
        return True
    folders = {PurePosixPath(path).parent.as_posix(), project.jobs.root.as_posix()}
    setups = (project.jobs.read(f"{folder}/{setup}") or "" for folder in folders for setup in _SETUPS)
    return any(re.search(rf"[\"'/]{name}[\"']", text) for text in setups)


_SETUPS = ("setup.py", "setup.cfg", "pyproject.toml")


def one_for_records(project: JobsView, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of a rule about requirements; those in records, which nothing installs, are one info for all."""
    recorded: list[Finding] = []
    known: dict[str, bool] = {}
    for finding in findings:
        path = finding.location.path
        if path not in known:
            known[path] = is_record(project, path)
        if known[path]:
            recorded.append(finding)
        elif _is_idle(project, path):
            yield replace(finding, severity=Severity.INFO)
        else:
            yield finding
    if recorded:
        first, *others = recorded
        places = tuple(Evidence("the same in this record", other.location) for other in others[:_SHOWN])
        yield replace(
            first,
            severity=Severity.INFO,
            evidence=(*first.evidence, *places),
            fix=None,
            unfixable="the file records what was installed once",
        )
