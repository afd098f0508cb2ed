"""Finds wrapped optimizers that average nothing beside the versions of other packages that the project pins."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.analysis.values.certainty import objects
from ddl_lint.analysis.view import ProjectView, RunView
from ddl_lint.finding import Evidence, Finding
from ddl_lint.frameworks.model import Ineffective
from ddl_lint.jobs.versions import Versions
from ddl_lint.program.trace import Event
from ddl_lint.program.values import Const
from ddl_lint.source.span import Location


def check(project: ProjectView) -> Iterable[Finding]:
    """One finding per call that wraps an optimizer with which a model is then trained."""
    seen: set[Location] = set()
    for run in project.runs:
        for event in run.events("prepare"):
            function = project.api.function(event.api)
            limits = None if function is None else function.ineffective
            if limits is None or event.location in seen or _is_spared(project.program_of(run), run, limits):
                continue
            package = _at_fault(project.versions_of(run.run.path), limits)
            compiled = _compiled(run, event)
            if package and compiled is not None:
                seen.add(event.location)
                yield Finding(
                    f"with {package} from {limits.since[package]} on, which the project pins, this averages nothing: "
                    "each rank trains a model of its own",
                    event.location,
                    (Evidence("the model trains with it", compiled.location),),
                )


def _at_fault(versions: Versions, limits: Ineffective) -> str:
    """A package whose pinned version is surely too new, where no other is surely old enough; empty if there is none."""
    if any(versions.surely_before(package, first) for package, first in limits.since.items()):
        return ""
    return next((package for package, first in limits.since.items() if versions.surely_from(package, first)), "")


def _is_spared(program: ProjectView, run: RunView, limits: Ineffective) -> bool:
    """Whether the project may switch back to what the call was made for."""
    imported = {name.partition(".")[0] for module in program.modules.values() for name in module.imported}
    versions = program.versions_of(run.run.path)
    if imported.intersection(limits.unless_imported) or any(map(versions.is_known, limits.unless_imported)):
        return True
    return any(program.launch.may_set(name) for name in limits.unless_set) or any(
        not isinstance(variable, Const) or variable.value in limits.unless_set
        for other in program.runs
        for event in other.events("set_environment")
        for variable in (event.operands.get("variable"),)
    )


def _compiled(run: RunView, prepared: Event) -> Event | None:
    """Where a model is told to train with the wrapped optimizer."""
    made = set(objects(prepared.result, "optimizer"))
    return next(
        (event for event in run.events("compile") if made.intersection(objects(event.operands.get("optimizer")))), None
    )
