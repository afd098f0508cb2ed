"""Finds names and arguments that came later than the pinned release."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from ddl_lint.rulekit import (
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


def check(run: RunView) -> Iterable[Finding]:
    """One finding per name, at its first place in the file in which a run starts."""
    module = run.module_at(run.run.path)
    if module is None:
        return
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


def _judged(run: RunView, api: str, shown: str, location: Location, known: dict[str, Any]) -> Iterable[Finding]:
    package, since = api.partition(".")[0], known.get("since")
    versions = run.versions_of(location.path)
    if since is None:
        last = known.get("last")
        if last is not None and versions.surely_from(package, _next(last)):
            message = f"`{shown}` was removed in {package} {_next(last)}, and the pinned release is not older"
            yield Finding(message, location, help=f"Pin `{package}<{_next(last)}`, or stop using `{shown}`.")
        return
    help = f"Require `{package}>={since}`, or do without `{shown}`."
    cause = f"{package} {versions.shown(package)}"
    if versions.surely_before(package, since):
        message = f"`{shown}` needs {package} {since}, and an older release is pinned"
        yield Finding(message, location, help=help, cause=cause)
    elif versions.may_be_before(package, since):
        message = f"`{shown}` needs {package} {since}, and the requirements allow older releases"
        yield Finding(message, location, severity=Severity.WARNING, help=help, cause=cause)


def _next(version: str) -> str:
    major, _, number = version.partition(".")
    after = {"1.13": "2.0"}
    return after.get(version, f"{major}.{int(number) + 1}")
