"""Finds imports of distributed libraries that the project does not require."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import NamedTuple

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    JobsView,
    Location,
    RunView,
    Severity,
    code,
    facts,
    is_installed,
    stage_images,
    units,
)


class _Import(NamedTuple):
    """A library that a script imports, and where."""

    name: str
    place: Location


def publish(run: RunView) -> Iterable[_Import]:
    """The libraries that the script imports at its top level, outside of `try` and `if`."""
    module = run.module_at(run.run.path) if run.is_launched else None
    for statement in module.body if module is not None else ():
        is_absolute = isinstance(statement, code.ImportFrom) and statement.level == 0
        if isinstance(statement, code.Import) or (isinstance(statement, code.ImportFrom) and is_absolute):
            place = Location(run.run.path, statement.start, statement.end)
            yield _Import(statement.module.partition(".")[0], place)


class _Requirements(NamedTuple):
    """What the files near a script say that it is installed with."""

    files: tuple[str, ...]
    names: frozenset[str]
    extras: frozenset[str]

    def has(self, name: str, providers: Iterable[str]) -> bool:
        """Whether a library is installed, by itself or with something else."""
        return not self.names.isdisjoint(providers) or name in self.extras


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per library that some requirements lack, at the first import of a launched script; the other scripts
    are evidence.
    """
    providers: dict[str, list[str]] = facts("packages")["providers"]
    imports: dict[tuple[str, tuple[str, ...]], dict[Location, Location]] = {}
    required: dict[str, _Requirements | None] = {}
    for launch in project.launches:
        for name, place in project.published(launch, _Import):
            if name not in providers or project.has_module(name, place.path):
                continue
            if place.path not in required:
                required[place.path] = _required(project.about(place.path))
            known = required[place.path]
            if known is not None and not known.has(name, providers[name]):
                imports.setdefault((name, known.files), {}).setdefault(place, launch.location)
    for (name, _), places in imports.items():
        first = next(iter(places))
        others = {place.path: place for place in reversed(places) if place.path != first.path}
        message = f"no requirement of this project installs `{name}`, so this import fails in a fresh environment"
        evidence = (
            Evidence("the script is launched here", places[first]),
            *(Evidence("this script imports it, too", place) for place in [*others.values()][::-1][:_SHOWN]),
        )
        is_met = _is_installed_for(project, first.path) and not _is_told(project, providers[name])
        severity = None if is_met else Severity.INFO  # else nobody installs just these requirements
        help = f"Add `{providers[name][0]}` to the requirements."
        yield Finding(message, first, evidence, severity=severity, help=help)


_FRAMEWORKS = {"torch", "tensorflow", "transformers", "jax"}


def _is_installed_for(project: JobsView, script: str) -> bool:
    """Whether the project says that requirements in the folder of a script, or above it, are installed."""
    folders = {folder.as_posix() for folder in PurePosixPath(script).parents}
    return any(
        unit.named(name) and PurePosixPath(unit.path).parent.as_posix() in folders and is_installed(project, unit.path)
        for unit in project.requirements
        if unit.kind != "command"
        for name in _FRAMEWORKS
    )


def _is_told(project: JobsView, packages: list[str]) -> bool:
    """Whether a page for people says that one of some packages is to be installed."""
    names = "|".join(map(re.escape, packages))
    told = re.compile(rf"(?i)\b(?:install|clone)\w*\b[^\n]*\b(?:{names})\b|\b(?:{names})\b[^\n]*\b(?:install|clone)")
    return any(told.search(text) for text in project.jobs.pages.values())


_SHOWN = 5
"""So many other scripts are shown."""


def _required(project: JobsView) -> _Requirements | None:
    """What is required; None where that says nothing of the libraries, or an image may bring them."""
    found = units(project)
    resolved = frozenset(name for unit in found for name in unit.resolved)
    pins = [pin for unit in found for pin in unit.pins]
    names = resolved | {pin.name for pin in pins}
    is_open = any(pin.is_direct for pin in pins)  # what it asks for is not known
    if is_open or names.isdisjoint(_FRAMEWORKS) or _has_image(project):
        return None
    return _Requirements(
        tuple(unit.path for unit in found), names, resolved | {extra for pin in pins for extra in pin.extras}
    )


def _has_image(project: JobsView) -> bool:
    images = [image for _, _, image in stage_images(project)]
    images += [container.image or "" for container in project.jobs.containers]
    return any(known in image for image in images for known in facts("packages")["images"])
