"""The jobs of a script that are judged apart, since they differ in what a run asks of its job."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.analysis.values.visitors import objects_in
from ddl_lint.analysis.view import RunView
from ddl_lint.jobs.job import Job, Known
from ddl_lint.program.job_choices import JobChoice, UnderJobs
from ddl_lint.program.values import NONE

_MOST_CLASSES = 4


def job_classes(run: RunView) -> list[Job]:
    """One job of each way of choosing what the run asks for, where that is another than no choice."""
    if not run.jobs:
        return []
    asked = run.once(_asked)
    found: dict[frozenset[JobChoice], Job] = {}
    for job in run.jobs:
        found.setdefault(asked.intersection(job.choices), job)
    return [job for choices, job in found.items() if choices][:_MOST_CLASSES]


def deciding_choice(run: RunView, job: Job) -> Known[str]:
    """What of the choices of a job the run asks for, in words, and where it is made."""
    asked = run.once(_asked)
    return next((known for choice, known in job.choices.items() if choice in asked), Known[str]())


def is_in_each_job(run: RunView, job: Job) -> bool:
    """Whether all jobs of the script that a launcher starts choose what the run asks for as this one does."""
    asked = run.once(_asked)
    return all(
        asked.intersection(other.choices) == asked.intersection(job.choices)
        for other in run.jobs
        if other.launcher or other.choices
    )


def _asked(run: RunView) -> frozenset[JobChoice]:
    return frozenset(choice for traits in _traits(run) for trait in traits for choice in trait.choices)


def _traits(run: RunView) -> Iterator[list[UnderJobs]]:
    for event in run.run.events:
        for made in objects_in(event.result if event.result is not None else NONE, deep=False):
            yield [trait for trait in made.traits.values() if isinstance(trait, UnderJobs)]
