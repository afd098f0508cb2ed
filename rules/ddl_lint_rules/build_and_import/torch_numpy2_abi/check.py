"""Finds requirements that let NumPy 2 meet a torch or TensorFlow that was built for NumPy 1."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    Fix,
    JobsView,
    Pin,
    Severity,
    Unit,
    facts,
    inserting,
    one_for_records,
    requiring,
    surely,
    surely_not,
    units,
)

_BOUND = "<2"
_OLDEST_PYTHON = (3, 9)
"""Of NumPy 2."""

_BOUNDED_BY = ("tensorflow", "numba", "scipy", "pandas", "scikit-learn", "opencv-python")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per requirement of NumPy."""
    return one_for_records(project, _found(project))


def _found(project: JobsView) -> Iterable[Finding]:
    for unit in units(project):
        for fact in facts("packages")["pairs"]:
            if fact["needs"] != f"numpy{_BOUND}":
                continue
            pin, numpy = unit.pin(fact["package"]), unit.pin("numpy")
            if pin is None or numpy is None or not surely(pin, fact["versions"]) or surely(numpy, _BOUND):
                continue
            finding = _required(pin, numpy) or _chosen(unit, pin, numpy, fact.get("beside_from", "0"))
            if finding is not None:
                yield finding


def _required(pin: Pin, numpy: Pin) -> Finding | None:
    """A requirement that only NumPy 2 fulfils."""
    if not surely_not(numpy, _BOUND):
        return None
    message = f"{pin.name} {pin.exact or pin.specifier} is built for NumPy 1, and NumPy 2 is required here"
    return Finding(message, numpy.location, _built(pin), fix=requiring("Require numpy<2", numpy, _BOUND))


def _chosen(unit: Unit, pin: Pin, numpy: Pin, beside_from: str) -> Finding | None:
    """A requirement for which pip takes NumPy 2, as the latest release of all."""
    if surely(pin, f"<{beside_from}"):
        return None
    if numpy.is_direct or not numpy.allows("2.0.0") or any(_bounds(unit, name) for name in _BOUNDED_BY):
        return None
    if unit.python and not _has_numpy2(unit.python):
        return None
    fix = _bounding(numpy) if not numpy.is_conda else None
    message = f"pip installs NumPy 2 here, and {pin.name} {pin.exact or pin.specifier} is built for NumPy 1"
    return Finding(message, numpy.location, _built(pin), severity=Severity.WARNING, fix=fix)


def _built(pin: Pin) -> tuple[Evidence]:
    return (Evidence(f"{pin.name} {pin.exact or pin.specifier} is built for NumPy 1", pin.location),)


def _bounding(numpy: Pin) -> Fix | None:
    text = ("," if str(numpy.specifier) else "") + _BOUND
    if numpy.in_command:
        return requiring("Require numpy<2", numpy, f"{numpy.specifier}{text}")
    return inserting("Require numpy<2", numpy.location.path, numpy.location.end, text)


def _bounds(unit: Unit, name: str) -> bool:
    """Whether another exact pin may keep NumPy below 2 by itself."""
    pin = unit.pin(name)
    return pin is not None and pin.exact is not None and name != "torch"


def _has_numpy2(python: str) -> bool:
    """Whether there is a NumPy 2 for what is said of Python: a version, or a range such as `>=3.8,<3.12`."""
    named = (tuple(map(int, version.split("."))) for version in re.findall(r"\d{1,3}\.\d{1,3}", python))
    return all(version >= _OLDEST_PYTHON for version in named)
