"""What rules ask of requirements: which releases are surely meant, and whether two of them can go together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from ddl_lint.analysis.jobs_view import JobsView
from ddl_lint.jobs.dockerfile import Instruction
from ddl_lint.jobs.known import facts
from ddl_lint.jobs.ranges import range_of
from ddl_lint.jobs.requirements import Pin, Unit, indexes_given, installed_by
from ddl_lint.jobs.versions import Range

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet


def units(project: JobsView) -> Sequence[Unit]:
    """What is installed together: the requirements of a file with those that it includes, and all that the commands
    of a script, or of a stage of a Dockerfile, install.
    """
    return project.once(_units)


def _units(project: JobsView) -> Sequence[Unit]:
    by_path = {unit.path: unit for unit in project.requirements if unit.kind == "requirements"}
    found = [_with_included(unit, by_path) for unit in project.requirements if unit.kind != "command"]
    groups: dict[tuple[str, object], Unit] = {}
    pythons = {(path, stage): _python_of(image) for path, stage, image in stage_images(project)}
    for text in project.jobs.texts:
        about = text.host.about
        stage = about.stage if isinstance(about, Instruction) else None
        group = groups.setdefault((text.file.path, stage), Unit(text.file.path, "command"))
        group.python = pythons.get((text.file.path, stage), "") if stage is not None else ""
        for command in text.shell.commands:
            unit = installed_by(command)
            if unit is not None and not command.arms:
                group.pins += unit.pins
                group.indexes += unit.indexes
                group.files += unit.files
    return [*found, *(group for group in groups.values() if group.pins)]


def files_with_index(project: JobsView) -> list[str]:
    """The files that tell pip from where else to take packages: requirements, commands of scripts, images and pages,
    and variables of the environment.
    """
    told = [unit.path for unit in project.requirements if unit.indexes and unit.kind != "pyproject"]
    scripts = [(text.file.path, text.shell.commands) for text in project.jobs.texts]
    told += (path for path, commands in (*scripts, *project.jobs.shown) if any(map(indexes_given, commands)))
    told += (each.file.path for each in project.jobs.variables if each.name in _INDEX_VARIABLES)
    return told


_INDEX_VARIABLES = frozenset(
    f"{tool}_{name}"
    for tool in ("PIP", "UV")
    for name in ("INDEX_URL", "EXTRA_INDEX_URL", "FIND_LINKS", "INDEX", "DEFAULT_INDEX")
)


def _python_of(image: str) -> str:
    """The Python that a base image brings; empty where that is not known."""
    for fact in facts("packages")["pythons"]:
        found = re.fullmatch(fact["image"], image)
        if found is not None:
            return fact["python"] or found["python"]
    return ""


def _with_included(unit: Unit, by_path: dict[str, Unit], depth: int = 0) -> Unit:
    if not unit.files or depth > 4:
        return unit
    merged = replace(unit, pins=list(unit.pins), indexes=list(unit.indexes))
    for written in unit.files:
        path = _normal(f"{PurePosixPath(unit.path).parent}/{written}")
        if path in by_path and path != unit.path:
            other = _with_included(by_path[path], by_path, depth + 1)
            merged.pins += other.pins
            merged.indexes += other.indexes
    return merged


def _normal(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in (".", ""):
            parts.append(part)
    return "/" + "/".join(parts)


@lru_cache(maxsize=512)
def specifier(text: str) -> SpecifierSet:
    """The versions that a text such as `>=1.2,<2` means; all for one that is none."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet  # here, and below: most checks read none

    try:
        return SpecifierSet(text)
    except InvalidSpecifier:
        return SpecifierSet()


def surely(pin: Pin, versions: str) -> bool:
    """Whether each release that fulfils a requirement is one of some versions."""
    if pin.is_direct:
        return False
    if pin.exact is not None:
        return specifier(versions).contains(pin.exact, prereleases=True)
    return _is_inside(range_of(pin.specifier), range_of(specifier(versions)))


def surely_not(pin: Pin, versions: str) -> bool:
    """Whether no release that fulfils a requirement is one of some versions."""
    if pin.is_direct:
        return False
    if pin.exact is not None:
        return not specifier(versions).contains(pin.exact, prereleases=True)
    own, other = range_of(pin.specifier), range_of(specifier(versions))
    before = own.high is not None and other.low is not None and own.high <= other.low
    behind = own.low is not None and other.high is not None and own.low >= other.high
    return before or behind


def _is_inside(own: Range, other: Range) -> bool:
    low = other.low is None or (own.low is not None and own.low >= other.low)
    high = other.high is None or (own.high is not None and own.high <= other.high)
    return low and high and (other.low is not None or other.high is not None)


def minor(pin: Pin) -> str:
    """The release series that a requirement pins, such as `2.4`; empty if it does not pin one."""
    if pin.exact is None:
        return ""
    return ".".join(str(part) for part in (*pin.exact.release, 0)[:2])


def is_version(text: str) -> bool:
    """Whether a text is a version."""
    from packaging.version import InvalidVersion, Version

    try:
        Version(text)
    except InvalidVersion:
        return False
    return True


def stage_images(project: JobsView) -> Iterator[tuple[str, int, str]]:
    """The base image of each stage of each Dockerfile: path, stage, image."""
    for path, instructions in project.jobs.dockerfiles.items():
        for each in instructions:
            if each.name == "FROM":
                yield path, each.stage, each.value.text.split()[0] if each.value.text.split() else ""
