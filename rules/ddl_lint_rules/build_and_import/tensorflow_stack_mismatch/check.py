"""Finds pins that TensorFlow cannot work with."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    JobsView,
    Pin,
    Severity,
    Unit,
    facts,
    minor,
    one_for_records,
    requiring,
    surely_not,
    units,
)

_WORKAROUND = "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"
_NAMES = ("tensorflow", "tensorflow-gpu", "tensorflow-cpu")
_UNPINNED = "protobuf is not pinned"
_UNUSUAL = "the pin is written in an unusual form"
_NEEDED = ("protobuf", "numpy", "keras")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per package that does not fit."""
    return one_for_records(project, _found(project))


def _found(project: JobsView) -> Iterable[Finding]:
    workarounds = [variable.file.path for variable in project.jobs.variables if variable.name == _WORKAROUND]
    for unit in units(project):
        if not all(project.are_apart(unit.path, path) for path in workarounds):
            continue
        pin = next((found for name in _NAMES if (found := unit.pin(name)) is not None), None)
        if pin is None or pin.exact is None:
            continue
        row = facts("packages")["tensorflow"].get(minor(pin), {})
        bound = facts("packages")["unbounded_protobuf"].get(minor(pin))
        for name in _NEEDED:
            other = unit.pin(name)
            wanted = _wanted(name, row) if name != "protobuf" or bound is None else bound
            if other is not None and wanted and surely_not(other, wanted):
                yield _finding(pin, other, wanted)
            elif name == "protobuf" and bound is not None and _is_unbounded(unit, other) and pin.exact.micro == 0:
                message = f"pip may install a protobuf that TensorFlow {pin.exact} cannot load"
                place = other.location if other is not None else pin.location
                yield Finding(
                    message, place, severity=Severity.WARNING, unfixable=_UNPINNED, help=f"Require `protobuf{bound}`."
                )


def _wanted(name: str, row: dict[str, str]) -> str:
    wanted = row.get(name, "")
    return f"=={wanted}.*" if wanted[:1].isdigit() else wanted


def _is_unbounded(unit: Unit, other: Pin | None) -> bool:
    return unit.kind in ("requirements", "command") and (other is None or not str(other.specifier))


def _finding(pin: Pin, other: Pin, wanted: str) -> Finding:
    fix = requiring(f"Require `{other.name}{wanted}`", other, wanted)
    message = f"TensorFlow {pin.exact} needs `{other.name}{wanted}`, and another release is pinned"
    evidence = (Evidence("TensorFlow is pinned here", pin.location),)
    help = f"Require `{other.name}{wanted}`."
    return Finding(message, other.location, evidence, fix=fix, unfixable="" if fix else _UNUSUAL, help=help)
