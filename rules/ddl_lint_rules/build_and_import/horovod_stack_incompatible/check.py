"""Finds pins of packages that cannot go together."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    JobsView,
    Pin,
    Unit,
    facts,
    one_for_records,
    requiring,
    surely,
    surely_not,
    units,
)

_PACKAGES = ("horovod",)
_NEEDS = ("torch", "tensorflow")


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per pair, where the second package is pinned."""
    return one_for_records(project, _found(project))


def _found(project: JobsView) -> Iterable[Finding]:
    for unit in units(project):
        for fact in facts("packages")["pairs"]:
            needed = _name(fact["needs"])
            is_built = unit.is_installed and fact.get("at") == "build"
            if fact["package"] in _PACKAGES and needed in _NEEDS and not is_built:
                yield from _judged(unit, fact, needed)


def _judged(unit: Unit, fact: dict[str, str], needed: str) -> Iterable[Finding]:
    pin, other = unit.pin(fact["package"]), unit.pin(needed)
    if pin is None or other is None or not surely(pin, fact["versions"]):
        return
    wanted = fact["needs"].removeprefix(needed)
    if not surely_not(other, wanted):
        return
    place, fix = _place(pin, other, fact)
    message = f"{pin.name} {_shown(pin)} needs `{fact['needs']}`: {fact['why']}"
    elsewhere = other if place is pin else pin
    evidence = (Evidence(f"`{elsewhere.name}` is pinned here", elsewhere.location),)
    yield Finding(
        message,
        place.location,
        evidence,
        fix=fix,
        help=f"Require `{fact.get('fix') or fact['needs']}`.",
        unfixable="" if fix else "only you know which of the two pins may change",
    )


def _place(pin: Pin, other: Pin, fact: dict[str, str]):
    wanted = fact.get("fix", "")
    for each in (pin, other):
        if wanted.startswith(each.name):
            fix = requiring(f"Require `{wanted}`", each, wanted.removeprefix(each.name))
            if fix is not None:
                return each, fix
    return pin, None


def _shown(pin: Pin) -> str:
    return str(pin.exact) if pin.exact is not None else str(pin.specifier)


def _name(needs: str) -> str:
    return needs.partition("<")[0].partition(">")[0].partition("=")[0]
