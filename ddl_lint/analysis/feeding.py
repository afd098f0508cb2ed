"""Questions about what feeds the training: who goes through which data, and who may see to that."""

from __future__ import annotations

from ddl_lint.analysis.circumstances import fed_by, is_replicated, may_be_replicated, undecided
from ddl_lint.analysis.view import ProjectView, RunView
from ddl_lint.program.trace import Event
from ddl_lint.program.values import NONE, Items, Object


def cares_for_data(run: RunView) -> bool:
    """Whether a trainer, launcher or helper that cannot be seen may divide the data."""
    return any(event.kind != "build_sampler" for event in run.providers("sampler"))


def is_model_parallel(run: RunView) -> bool:
    """Whether ranks may share their data on purpose, because they hold parts of one model."""
    meshes = run.events("init_mesh")
    several = any(
        not isinstance(shape, Items) or len(shape.items) != 1
        for mesh in meshes
        for shape in [mesh.operands.get("shape")]
    )
    return several or any(event.operands.get("group", NONE) != NONE for event in run.events("wrap_model"))


def trains(project: ProjectView, run: RunView, built: Event, loader: Object) -> Event | None:
    """A forward of the replicated model on the loader's batches, if they are trained on.

    A loader that is built in any case is at fault as soon as one of the ways through the program replicates the model.
    """
    if not fed_by(run, loader, "backward"):
        return None
    replicated = is_replicated if any(undecided(built)) else may_be_replicated
    forwards = fed_by(run, loader, "forward")
    return next((event for event in forwards if replicated(event.operands.get("model"), run, project.api)), None)
