"""Finds names of packages that are not what they are taken for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePath

from ddl_lint.rulekit import (
    Finding,
    JobsView,
    Pin,
    Severity,
    as_word,
    facts,
    one_for_records,
    replacing,
    specifier,
    surely_not,
    units,
)

_OWN_VERSION = "0.9"
"""Releases of the web toolkit of that name; another one does not exist."""


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per requirement."""
    return one_for_records(project, _found(project))


def _found(project: JobsView) -> Iterable[Finding]:
    seen: set[object] = set()
    for unit in units(project):
        names = {pin.name for pin in unit.pins}
        for pin in unit.pins:
            known = facts("packages")["names"].get(pin.spelled.lower().replace("_", "-"))
            if known is None or pin.is_direct or pin.is_conda or pin.location in seen:
                continue
            if "python" in known and unit.python and not specifier(known["python"]).contains(unit.python):
                continue
            if pin.name == "apex" and not names & {"torch", "torchvision"}:
                continue
            if "versions" in known and surely_not(pin, known["versions"]):
                continue
            if "versions" in known and pin.exact is None and str(pin.specifier) and not surely_not(pin, "<2.12"):
                continue
            seen.add(pin.location)
            yield _finding(pin, known)


def _finding(pin: Pin, known: dict[str, str]) -> Finding:
    text = as_word(known["want"]) if pin.in_command else known["want"]
    fix = replacing(f"Require `{known['want']}`", pin.location, text, "another release may get installed")
    message = f"`{pin.spelled}` on PyPI is {known['means']}"
    severity = Severity.INFO if _OPTIONAL.search(PurePath(pin.location.path).stem) else None
    return Finding(message, pin.location, severity=severity, fix=fix, help=f"Require `{known['want']}`.")


_OPTIONAL = re.compile(r"(?i)(?<![a-z])(?:optional|extras?|docs?|lint|tests?)(?![a-z])")
"""What files with requirements are called that no training needs."""
