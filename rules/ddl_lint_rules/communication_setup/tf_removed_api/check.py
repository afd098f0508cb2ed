"""Finds calls that TensorFlow or Keras has dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Finding,
    Location,
    NameUse,
    RunView,
    Severity,
    code,
    facts,
    is_keras_3,
    is_version_guarded,
    library_names,
    per_file,
    tried_calls,
    with_fix,
)
from ddl_lint.rulekit.events import Collective
from ddl_lint_rules.communication_setup.tf_removed_api.fix import rename

_OTHER = "what came in its place takes other arguments"


def check(run: RunView) -> Iterable[Finding]:
    """One finding per name, at its first place in the file in which a run starts, and per call of a method."""
    module = run.module_at(run.run.path)
    seen: set[str] = set()
    for use in _names(module) if module is not None else ():
        name = _known(use.name)
        if name not in seen:
            seen.add(name)
            yield from _judged(run, name, use)
    tried = _tried(module) if module is not None else ()
    for event in run.events(Collective):
        is_prepared = event.location in tried or is_version_guarded(event)
        if event.api in _table() and event.location.path == run.run.path and not is_prepared:
            known = _table()[event.api]
            use = NameUse(event.api, event.location, False, False)
            for finding in _judged(run, event.api, use):
                is_renamed = bool(known.get("renamed"))
                yield with_fix(finding, rename, run, event, known["instead"]) if is_renamed else finding


def _table() -> dict[str, dict[str, str]]:
    return facts("tensorflow")["removed"]


def _known(name: str) -> str:
    """The longest beginning of a name of which it is known that it is gone; empty without one."""
    words = name.split(".")
    beginnings = (".".join(words[:count]) for count in range(len(words), 0, -1))
    return next((each for each in beginnings if each in _table()), "")


@per_file
def _names(module: code.Module) -> list[NameUse]:
    if module.words.isdisjoint(name.rpartition(".")[2] for name in _table()):
        return []
    return [use for use in library_names(module, lambda name: bool(_known(name))) if not use.tried]


@per_file
def _tried(module: code.Module) -> frozenset[Location]:
    return tried_calls(module, {name.rpartition(".")[2] for name in _table()})


def _judged(run: RunView, name: str, use: NameUse) -> Iterator[Finding]:
    known = _table()[name]
    versions = run.versions_of(use.location.path)
    reason = "" if known.get("renamed") else _OTHER
    package = known["package"]
    if known.get("of_keras_2") and not is_keras_3(run, use.location.path):
        return
    if versions.surely_from(package, known["gone"]):
        message = f"`{name.partition('.')[2]}` was removed in {package} {known['gone']}"
        yield Finding(message, use.location, help=f"Use `{known['instead']}`.", unfixable=reason)
    elif known.get("also_unpinned") and not versions.is_known(package):
        message = f"`{name.partition('.')[2]}` was removed in {package} {known['gone']}, and no version is pinned"
        advice = f"Use `{known['instead']}`."
        doubt = versions.documented_before(package, known["gone"])
        severity = Severity.INFO if doubt else Severity.WARNING
        yield Finding(message, use.location, severity=severity, help=advice, unfixable=reason, doubt=doubt)
