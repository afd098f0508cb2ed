"""Finds steps of Slurm that may get one CPU per task, although the batch script asks for more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    Fix,
    JobsView,
    Launch,
    Location,
    RunView,
    Severity,
    Step,
    directives_of,
    inserting,
    number_under_launch,
    objects,
)
from ddl_lint.rulekit.events import BuildLoader

_VARIABLE = "SRUN_CPUS_PER_TASK"


class _Loader(NamedTuple):
    """A loader with several workers, and where it is made."""

    workers: int
    place: Location


def publish(run: RunView) -> Iterable[_Loader]:
    """The loaders of a script with more than one worker."""
    for event in run.events(BuildLoader):
        for made in objects(event.result):
            workers = number_under_launch(run, made.given.get("num_workers"))
            if workers is not None and workers > 1:
                yield _Loader(workers, event.location)


def check_project_files(project: JobsView) -> Iterable[Finding]:
    """One finding per batch script, at its first step that trains."""
    reported: set[str] = set()
    for launch in project.launches:
        step, directives = launch.step("srun"), directives_of(project, launch)
        asked = directives.effective.get("cpus_per_task") if directives is not None else None
        if step is None or asked is None or (asked.number or 0) < 2 or launch.host.path in reported:
            continue
        loader = next(iter(project.published(launch, _Loader)), None)
        if loader is None or _passes_on(project, launch, step):
            continue
        reported.add(launch.host.path)
        fix = _fix(project, step)
        yield Finding(
            f"some releases of Slurm give each task one CPU here, not {asked.number}",
            step.word.location,
            (
                Evidence("the CPUs are requested here", asked.location),
                Evidence(f"{loader.workers} workers use them", loader.place),
            ),
            severity=Severity.INFO,
            fix=fix,
            unfixable="" if fix else "the command does not begin a line",
        )


def _passes_on(project: JobsView, launch: Launch, step: Step) -> bool:
    """Whether the step has the CPUs, or may have them."""
    known = ("cpus_per_task", "cpus_per_gpu", "cpu_bind", "exclusive", "exact")
    text = project.jobs.text_of(launch)
    is_set = text is None or any(each.name == _VARIABLE for each in text.shell.assignments)
    return is_set or step.is_open or any(step.given(name) is not None for name in known)


def _fix(project: JobsView, step: Step) -> Fix | None:
    """The variable that srun reads, in a line above it."""
    place = step.word.location
    file = project.jobs.files.get(place.path)
    if file is None:
        return None
    before, _, indent = file.text[: place.start].rpartition("\n")
    if indent.strip() or before.rstrip("\r").endswith("\\"):
        return None
    new = f"export {_VARIABLE}=$SLURM_CPUS_PER_TASK\n{indent}"
    return inserting("Pass the CPUs per task on to srun", place.path, place.start, new)
