"""The job of a script in which a trace shows it: one of its launches, by the place where that is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import PurePath

from ddl_lint.analysis.queries.job_classes import run_where
from ddl_lint.analysis.queries.launch_values import as_launched
from ddl_lint.analysis.view import RunView
from ddl_lint.check.traced_program import TraceError
from ddl_lint.jobs.job import Job
from ddl_lint.source.span import Location


def in_named_job(run: RunView, name: str) -> RunView:
    """A run as it is in the job that is launched at a place, such as `train.sbatch:13`, or in a file that has but one;
    the run itself without a name.

    Raises:
        TraceError: no launch of the script is there, or several are.
    """
    if not name:
        return run
    job = named_job(run.jobs, name, run.place, "this script")
    return run_where(run, job, lambda value: as_launched(value, job)) or run.under(job, run.run)


def named_job(jobs: Iterable[Job], name: str, place: Callable[[Location], str], what: str) -> Job:
    """The job that is launched at a place.

    Args:
        jobs: Those that are known.
        name: The end of the path of a launch file, with a line or without.
        place: A location as people write it, with its line.
        what: What they are launches of, as a message says it.

    Raises:
        TraceError: none is there, or several are.
    """
    known = list(jobs)
    named = [job for job in known if _is_named(job.place.path, place(job.place), name)]
    if len(named) == 1:
        return named[0]
    places = ", ".join(f"`{each}`" for each in dict.fromkeys(place(job.place) for job in (named or known)))
    if named:
        raise TraceError(f"--job {name}: several launches are there; name one of {places}")
    there_are = f"its launches are at {places}" if places else "no launch of it was found"
    raise TraceError(f"--job {name}: no launch of {what} is there; {there_are}")


def _is_named(path: str, place: str, name: str) -> bool:
    """Whether a name is the end of the path of a launch, with its line or without."""
    file, _, line = name.rpartition(":")
    if not file or not line.isdigit():
        file = name
    elif place.rpartition(":")[2] != line:
        return False
    parts = PurePath(file).parts
    return parts == PurePath(path).parts[-len(parts) :]
