"""Finds names and arguments that came later than the pinned release."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    KeywordUse,
    Location,
    NameUse,
    RunView,
    Severity,
    code,
    facts,
    library_keywords,
    library_names,
    per_file,
)


class _Fault(NamedTuple):
    """A name that some release lacks; those with the same cause are one finding."""

    cause: tuple[str, str]
    name: str
    finding: Finding


def check(run: RunView) -> Iterable[Finding]:
    """One finding per cause, at the first name in the file in which a run starts; the other names are evidence."""
    module = run.module_at(run.run.path)
    if module is None:
        return
    causes: dict[tuple[str, str], list[_Fault]] = {}
    for fault in _faults(run, module):
        causes.setdefault(fault.cause, []).append(fault)
    for first, *others in causes.values():
        places = tuple(Evidence(f"so does `{other.name}`", other.finding.location) for other in others[:_SHOWN])
        more = f" (and at {len(others)} more place{'s' * (len(others) > 1)})" if others else ""
        yield replace(first.finding, message=first.finding.message + more, evidence=places)


_SHOWN = 5
"""So many other names are shown."""


def _faults(run: RunView, module: code.Module) -> Iterator[_Fault]:
    seen: set[str] = set()
    for use in _names(module):
        if use.name in seen:
            continue
        seen.add(use.name)
        yield from _judged(run, use.name, use.name, use.location, facts("apis")[use.name])
    for use in _arguments(module):
        known = facts("apis")[use.name]["params"][use.keyword]
        yield from _judged(run, use.name, f"{use.name.rpartition('.')[2]}({use.keyword}=)", use.location, known)


@per_file
def _names(module: code.Module) -> list[NameUse]:
    """The names in a file of which it is known when they came, where the program is not prepared for that."""
    if module.words.isdisjoint(_words()):
        return []
    return [use for use in library_names(module, _has_since) if not use.tried]


@per_file
def _arguments(module: code.Module) -> list[KeywordUse]:
    """Likewise, the arguments by name."""
    if module.words.isdisjoint(_words()):
        return []
    found = library_keywords(module, _has_parameters)
    return [use for use in found if not use.tried and use.keyword in facts("apis")[use.name]["params"]]


@cache
def _words() -> frozenset[str]:
    return frozenset(name.rpartition(".")[2] for name in facts("apis"))


def _has_since(name: str) -> bool:
    known: dict[str, Any] = facts("apis").get(name) or {}
    return "since" in known


def _has_parameters(name: str) -> bool:
    known: dict[str, Any] = facts("apis").get(name) or {}
    return "params" in known


def _judged(run: RunView, api: str, shown: str, location: Location, known: dict[str, Any]) -> Iterator[_Fault]:
    package, since = api.partition(".")[0], known.get("since")
    versions = run.versions_of(location.path)
    if since is None:
        last = known.get("last")
        if last is not None and versions.surely_from(package, _next(last)):
            message = f"`{shown}` was removed in {package} {_next(last)}, and the pinned release is not older"
            help = f"Pin `{package}<{_next(last)}`, or stop using `{shown}`."
            yield _Fault((package, f"last {last}"), shown, Finding(message, location, help=help))
        return
    help = f"Require `{package}>={since}`, or do without `{shown}`."
    message = f"`{shown}` needs {package} {since}, and "
    if versions.surely_before(package, since):
        message += "an older release is pinned"
        yield _Fault((package, "pinned"), shown, Finding(message, location, help=help))
    elif versions.may_be_before(package, since):  # whoever installs them takes a newer one
        message += "the requirements allow older releases"
        yield _Fault((package, "bound"), shown, Finding(message, location, severity=Severity.INFO, help=help))


def _next(version: str) -> str:
    major, _, number = version.partition(".")
    after = {"1.13": "2.0"}
    return after.get(version, f"{major}.{int(number) + 1}")
