"""Finds calls and imports of earlier releases, and arguments that `launch` does not take any more."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, cast

from ddl_lint.rulekit import (
    Event,
    Evidence,
    Finding,
    Location,
    NameUse,
    RunView,
    Severity,
    Shared,
    called_name,
    code,
    library_names,
    named,
    per_file,
    read_data,
    with_fix,
)
from ddl_lint.rulekit.events import Delegate, InitProcessGroup
from ddl_lint_rules.communication_setup.colossalai_removed_api.fix import fix

_FRAMEWORK = "colossalai"
_SINCE = "0.4"
"""The release without them."""

_SHOWN = 5
"""So many other places are shown with a finding."""


@dataclass(frozen=True, order=True)
class _Use:
    """Something of earlier releases that a project uses."""

    kind: Literal["import", "launch", "engine"]
    location: Location


@functools.cache
def _removed() -> Mapping[str, str]:
    return read_data(Path(__file__).with_name("names.yaml"))


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call, and per import; the join leaves the first of each kind."""
    module = run.module_at(run.run.path)
    if module is not None and not run.versions_of(module.path).surely_before(_FRAMEWORK, _SINCE):
        for use in _removed_names(module):
            now = _removed()[_known(use.name)]
            message = f"`{use.name}` was removed from Colossal-AI; use {now}"
            about = _Use("import", use.location)
            found = Finding(message, use.location, unfixable="a `Booster` is used in a different way", about=about)
            yield _doubted(found, run)
    for event in run.events(InitProcessGroup, Delegate):
        if run.api.framework(event.api) == _FRAMEWORK:
            versions = run.versions_of(event.location.path)
            if not versions.surely_before(_FRAMEWORK, _SINCE):
                yield from (_doubted(found, run) for found in _refused(run, event))


def _doubted(finding: Finding, run: RunView) -> Finding:
    """A finding, as a hint where pages say that the project is for an earlier release."""
    doubt = run.versions_of(finding.location.path).documented_before(_FRAMEWORK, _SINCE)
    return replace(finding, severity=Severity.INFO, doubt=doubt) if doubt else finding


def publish(run: RunView) -> Iterator[_Use]:
    """What a run uses of earlier releases."""
    yield from (cast("_Use", finding.about) for finding in check(run))


def join(finding: Finding, shared: Shared[_Use]) -> Finding | None:
    """A project that is written for an earlier release is reported once, with the other places as evidence."""
    about = cast("_Use", finding.about)
    first, *others = sorted({use.location for use in shared.project if use.kind == about.kind}, key=_order)
    if finding.location != first:
        return None
    shown = tuple(Evidence("the same is done here", place) for place in others[:_SHOWN])
    more = f" (and at {len(others)} more place{'s' if len(others) > 1 else ''})" if others else ""
    return replace(finding, message=finding.message + more, evidence=(*finding.evidence, *shown))


def _order(place: Location) -> tuple[str, int]:
    return place.path, place.start


def _refused(run: RunView, event: Event) -> Iterator[Finding]:
    if event.kind == "init_process_group" and "config" in event.surplus:
        call = named("launch", called_name, run, event.location)
        message = f"`{call}` takes no configuration since Colossal-AI 0.4"
        found = Finding(message, event.location, about=_Use("launch", event.location))
        yield with_fix(found, fix, run, event)
    elif event.kind == "delegate" and event.api == "colossalai.initialize":
        message = "`colossalai.initialize` was removed in Colossal-AI 0.4; use a `Booster`"
        unfixable = "a `Booster` is used in a different way"
        yield Finding(message, event.location, unfixable=unfixable, about=_Use("engine", event.location))


@per_file
def _removed_names(module: code.Module) -> list[NameUse]:
    """The names of earlier releases that a file imports, where it is not prepared for later ones."""
    if _FRAMEWORK not in module.words:
        return []
    uses = (use for use in library_names(module, _known) if not use.tried and use.imported)
    return list({use.location: use for use in uses}.values())


def _known(name: str) -> str:
    """The entry that tells of a name: itself, or a package that it is in."""
    table, part = _removed(), name
    while part and part not in table:
        part = part.rpartition(".")[0]
    return part
