"""Finds wrapped optimizers that average nothing beside the versions of other packages that the project pins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from ddl_lint.rulekit import Const, Event, Evidence, Finding, Ineffective, Location, RunView, Shared, Versions, objects
from ddl_lint.rulekit.events import Compile, Prepare, SetEnvironment


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call that wraps an optimizer with which a model is then trained."""
    seen: set[Location] = set()
    for event in run.events(Prepare):
        function = run.api.function(event.api)
        limits = None if function is None else function.ineffective
        if limits is None or event.location in seen or _is_spared(run, limits):
            continue
        package = _at_fault(run.versions_of(run.run.path), limits)
        compiled = _compiled(run, event)
        if package and compiled is not None:
            seen.add(event.location)
            yield Finding(
                f"with {package} {limits.since[package]} or later, this averages no gradients: each rank "
                "trains its own model",
                event.location,
                (Evidence("the model uses this optimizer", compiled.location),),
                about=tuple(limits.unless_set),
            )


def publish(run: RunView) -> Iterator[object]:
    """The variables of the environment that the run sets; None for one that is unknown."""
    for event in run.events(SetEnvironment):
        variable = event.variable
        yield variable.value if isinstance(variable, Const) else None


def join(finding: Finding, shared: Shared[object]) -> Finding | None:
    """A variable may switch the project back to what the call was made for."""
    spared = (None, *cast("tuple[str, ...]", finding.about))
    return None if any(variable in spared for variable in shared.program) else finding


def _at_fault(versions: Versions, limits: Ineffective) -> str:
    """A package whose pinned version is surely too new, where no other is surely old enough; empty if there is none."""
    if any(versions.surely_before(package, first) for package, first in limits.since.items()):
        return ""
    return next((package for package, first in limits.since.items() if versions.surely_from(package, first)), "")


def _is_spared(run: RunView, limits: Ineffective) -> bool:
    """Whether the project may switch back to what the call was made for."""
    imported = {name.partition(".")[0] for module in run.modules.values() for name in module.imported}
    versions = run.versions_of(run.run.path)
    if imported.intersection(limits.unless_imported) or any(map(versions.is_known, limits.unless_imported)):
        return True
    return any(run.may_set(name) for name in limits.unless_set)


def _compiled(run: RunView, prepared: Event) -> Compile | None:
    """Where a model is set to train with the wrapped optimizer."""
    made = set(objects(prepared.result, "optimizer"))
    return next((event for event in run.events(Compile) if made.intersection(objects(event.optimizer))), None)
