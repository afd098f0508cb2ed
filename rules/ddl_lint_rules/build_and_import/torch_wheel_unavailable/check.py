"""Finds pins of torch that pip cannot find."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    JobsView,
    Location,
    Pin,
    Severity,
    Unit,
    facts,
    files_with_index,
    minor,
    one_for_records,
    stage_images,
    units,
)

_LABEL = re.compile(r"whl/(?:nightly/|test/)?(cu\d+|cpu|rocm[\d.]+)")
_PYTHON_IMAGE = re.compile(r"(?:docker\.io/)?(?:library/)?python:(\d+)\.(\d+)")
_LOCAL = re.compile(r"cu\d+|cpu|rocm[\d.]+")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per pin."""
    return one_for_records(project, _found(project))


def _found(project: JobsView) -> Iterable[Finding]:
    pythons = _images(project)
    indexed = files_with_index(project)
    for unit in units(project):
        pin = unit.pin("torch")
        if pin is None or pin.exact is None or pin.is_conda:
            continue
        is_indexed = not all(project.are_apart(unit.path, path) for path in indexed)
        near = {path: python for path, python in pythons.items() if not project.are_apart(unit.path, path)}
        finding = _label(unit, pin, indexed=is_indexed) or _python(unit, pin, near)
        if finding is not None:
            yield finding


def _label(unit: Unit, pin: Pin, *, indexed: bool) -> Finding | None:
    if not pin.label or not _LOCAL.fullmatch(pin.label):
        return None
    labels = [match[1] for index in unit.indexes if (match := _LABEL.search(index))]
    if not unit.indexes and not indexed:
        message = f"PyPI has no `torch=={pin.exact}+{pin.label}`; no index of PyTorch is given"
        help = f"Add `--extra-index-url https://download.pytorch.org/whl/{pin.label}`."
        return Finding(message, pin.location, help=help)
    if labels and len(labels) == len(unit.indexes) and pin.label not in labels:
        message = f"the index for {labels[0]} has no `torch=={pin.exact}+{pin.label}`"
        help = f"Use the index `https://download.pytorch.org/whl/{pin.label}`, or pin the build for {labels[0]}."
        return Finding(message, pin.location, help=help)
    return None


def _python(unit: Unit, pin: Pin, pythons: dict[str, tuple[tuple[int, int], Location]]) -> Finding | None:
    """A release that has no wheels for the Python of the image in which it is installed."""
    row = facts("packages")["torch"].get(minor(pin))
    found = pythons.get(unit.path) if unit.kind == "command" else _only(pythons)
    if row is None or found is None:
        return None
    (major, number), place = found
    low, high = _number(row.get("python_min")), _number(row.get("python_max"))
    if (low is None or number >= low) and (high is None or number <= high):
        return None
    message = f"torch {pin.exact} has no wheel for Python {major}.{number}"
    severity = None if unit.kind == "command" else Severity.WARNING
    evidence = (Evidence(f"the image has Python {major}.{number}", place),)
    wanted = row["python_min"] if low is not None and number < low else row["python_max"]
    help = f"Use an image with Python {wanted}, or another release of torch."
    return Finding(message, pin.location, evidence, severity=severity, help=help)


def _only(pythons: dict[str, tuple[tuple[int, int], Location]]) -> tuple[tuple[int, int], Location] | None:
    versions = {version for version, _ in pythons.values()}
    return next(iter(pythons.values())) if len(versions) == 1 else None


def _number(text: str | None) -> int | None:
    return int(text.partition(".")[2]) if text else None


def _images(project: JobsView) -> dict[str, tuple[tuple[int, int], Location]]:
    """The Python of each Dockerfile that is made from an image of Python, where all of its stages are."""
    found: dict[str, tuple[tuple[int, int], Location]] = {}
    for path, _, image in stage_images(project):
        match = _PYTHON_IMAGE.match(image)
        place = next(each.location for each in project.jobs.dockerfiles[path] if each.name == "FROM")
        if match is not None:
            found[path] = ((int(match[1]), int(match[2])), place)
    return found
