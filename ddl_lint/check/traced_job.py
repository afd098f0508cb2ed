"""The job of a script in which a trace shows it: one of its launches, by the place where that is written."""

from __future__ import annotations

from pathlib import PurePath

from ddl_lint.analysis.queries.job_classes import run_in_job
from ddl_lint.analysis.view import RunView
from ddl_lint.check.traced_program import TraceError
from ddl_lint.jobs.job import Job


def in_named_job(run: RunView, name: str) -> RunView:
    """A run as it is in the job that is launched at a place, such as `train.sbatch:13`, or in a file that has but one;
    the run itself without a name.

    Raises:
        TraceError: no launch of the script is there, or several are.
    """
    if not name:
        return run
    named = [job for job in run.jobs if _is_named(run, job, name)]
    if len(named) != 1:
        places = dict.fromkeys(run.place(job.place) for job in (named or run.jobs))
        known = ", ".join(f"`{place}`" for place in places)
        if named:
            raise TraceError(f"--job {name}: several launches are there; name one of {known}")
        there_are = f"its launches are at {known}" if known else "no launch of it was found"
        raise TraceError(f"--job {name}: no launch of this script is there; {there_are}")
    return run_in_job(run, named[0]) or run.under(named[0], run.run)


def _is_named(run: RunView, job: Job, name: str) -> bool:
    """Whether a name is the end of the path of a launch, with its line or without."""
    file, _, line = name.rpartition(":")
    place = run.place(job.place)
    if not file or not line.isdigit():
        file = name
    elif place.rpartition(":")[2] != line:
        return False
    parts = PurePath(file).parts
    return parts == PurePath(job.place.path).parts[-len(parts) :]
