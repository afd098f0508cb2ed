"""Finds names that the project's version of a library does not have any more, or warns of."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ddl_lint.rulekit import (
    Claim,
    Confidence,
    Const,
    Finding,
    Location,
    NameUse,
    RunView,
    Severity,
    Versions,
    code,
    library_names,
    names_stored,
    per_file,
    read_data,
    with_fix,
)
from ddl_lint.rulekit.events import SetEnvironment
from ddl_lint_rules.communication_setup.deprecated_distributed_api.fix import fix, fix_variable


@dataclass(frozen=True)
class Ageing:
    """What becomes of a name: the first release that warns, the first without it, and what replaces it."""

    name: str
    instead: str
    deprecated: str | None = None
    removed: str | None = None
    same: bool = False
    part: bool = False


@dataclass(frozen=True)
class _Table:
    package: str
    oldest: str
    names: Mapping[str, Ageing]
    variables: Mapping[str, Ageing]
    words: frozenset[str]
    """The last words of the names: a file without any of them need not be gone through."""


@functools.cache
def _table() -> _Table:
    data: dict[str, Any] = read_data(Path(__file__).with_name("names.yaml"))
    names, variables = ({key: Ageing(key, **facts) for key, facts in data[part].items()} for part in _PARTS)
    words = frozenset(name.rpartition(".")[2] for name in names)
    return _Table(data["package"], data["oldest"], names, variables, words)


_PARTS = ("names", "variables")


@dataclass(frozen=True)
class _Known:
    """The names that modules of a package have in some release."""

    package: str
    first: str
    last: str
    modules: Mapping[str, frozenset[str]]


@functools.cache
def _known() -> _Known:
    data: dict[str, Any] = read_data(Path(__file__).with_name("known_names.yaml"))
    modules = {name: frozenset(names.split()) for name, names in data["modules"].items()}
    return _Known(data["package"], data["from"], data["to"], modules)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place."""
    module = run.module_at(run.run.path)
    if module is not None:
        yield from _missing(run, module)
        for use, ageing in _ageing_names(module):
            for judged in _judge(run.versions_of(module.path), ageing):
                finding = _found(judged, use.location)
                yield with_fix(finding, fix, run, use, ageing.instead, same=ageing.same)
    for event in run.events(SetEnvironment):
        yield from _old_variable(run, event)


def _missing(run: RunView, module: code.Module) -> Iterator[Finding]:
    """Names that no release has."""
    uses, known = _missing_names(module), _known()
    if not uses or run.versions_of(module.path).surely_before(known.package, known.first):
        return
    added = {name for other in run.modules.values() for name in names_stored(other)}
    for use in uses:
        owner, _, name = use.name.rpartition(".")
        if name not in added:
            yield Finding(
                f"`{owner}` has no `{name}` in any PyTorch release from {known.first} to {known.last}",
                use.location,
                unfixable="cannot tell which name is meant",
            )


@per_file
def _missing_names(module: code.Module) -> list[NameUse]:
    """The names in a file that no release has, where the program is not prepared for that."""
    if "torch" not in module.words or module.words.isdisjoint(("distributed", "parallel")):
        return []
    return [use for use in library_names(module, _is_missing) if not use.tried]


def _is_missing(name: str) -> bool:
    owner, _, last = name.rpartition(".")
    names = _known().modules.get(owner)
    return names is not None and last not in names and last != "*" and not last.startswith("__")


@per_file
def _ageing_names(module: code.Module) -> list[tuple[NameUse, Ageing]]:
    """The names in a file of which something is known, where the program is not prepared for that."""
    table = _table()
    if module.words.isdisjoint(table.words) or table.package not in module.words:
        return []
    found = ((use, _ageing(use.name)) for use in library_names(module, _ageing) if not use.tried)
    return [(use, ageing) for use, ageing in found if ageing is not None]


def _ageing(name: str) -> Ageing | None:
    """What is known of a name, or of the package that it is in."""
    table = _table()
    if name in table.names:
        return table.names[name]
    owner = name.rpartition(".")[0]
    while owner:
        known = table.names.get(owner)
        if known is not None:
            return known if known.part else None
        owner = owner.rpartition(".")[0]
    return None


def _judge(versions: Versions, ageing: Ageing) -> Iterator[tuple[str, Severity, str]]:
    """What the versions that the project may run with say of a name, with why they may be others."""
    table = _table()
    package, word = table.package, f"`{ageing.name}`"
    instead = f"use `{ageing.instead}`"
    if ageing.removed is not None:
        gone = f"{word} was removed in {package} {ageing.removed}; {instead}"
        if versions.surely_from(package, ageing.removed):
            yield gone, Severity.ERROR, ""
            return
        if not versions.is_known(package):
            doubt = versions.documented_before(package, ageing.removed)
            yield gone, Severity.INFO if doubt else Severity.WARNING, doubt
            return
    if ageing.deprecated is not None and (
        versions.surely_from(package, ageing.deprecated)
        or (_is_old(ageing.deprecated, table.oldest) and not versions.surely_before(package, ageing.deprecated))
    ):
        yield Claim(f"{word} warns since {package} {ageing.deprecated}; {instead}", "deprecated"), Severity.INFO, ""


def _found(judged: tuple[str, Severity, str], location: Location) -> Finding:
    message, severity, doubt = judged
    return Finding(message, location, severity=severity, confidence=_confidence(severity), doubt=doubt)


def _confidence(severity: Severity) -> Confidence | None:
    """Names that still work are reported with `--pedantic` only: nothing goes wrong as long as the library stays."""
    return Confidence.MEDIUM if severity is Severity.INFO else None


def _is_old(version: str, oldest: str) -> bool:
    return tuple(map(int, version.split("."))) <= tuple(map(int, oldest.split(".")))


def _old_variable(run: RunView, event: SetEnvironment) -> Iterator[Finding]:
    """A variable of the environment that is set under its old name."""
    name = event.variable
    ageing = _table().variables.get(str(name.value)) if isinstance(name, Const) else None
    if ageing is not None and isinstance(name, Const):
        for judged in _judge(run.versions_of(event.location.path), ageing):
            finding = _found(judged, event.location)
            yield with_fix(finding, fix_variable, run, name, ageing.instead)
