"""Which of the jobs that a project launches the logs are of: by the command lines that launchers print."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath

from ddl_lint.diagnose.symptom import Symptom, script_of
from ddl_lint.jobs.job import Job

_BY_LAUNCHERS = frozenset({"local_rank"})
"""Options that a launcher adds to those of the launch line."""


def job_of(symptom: Symptom, jobs: Callable[[], Sequence[Job]]) -> Job | None:
    """The job that the commands of the logs are those of; None where they may be of several, or of none.

    Args:
        symptom: What the logs tell.
        jobs: Those of the project, asked for only where the logs have commands.
    """
    commands = [(command, script) for command in symptom.commands if (script := script_of(command)) is not None]
    found = jobs() if commands else ()
    for command, script in commands:
        given = _options(command[command.index(script) + 1 :])
        found = [job for job in found if _is_script(job.script, script) and _may_be_given(job, given)]
    return found[0] if len(found) == 1 else None


def _is_script(path: str, name: str) -> bool:
    """Whether a path ends as a script is named, from whatever folder it was started."""
    parts = [part for part in PurePath(name.replace("\\", "/")).parts if part not in (".", "..")]
    own = PurePath(path).parts
    return own[-1:] == tuple(parts[-1:]) and (own[-2:-1] == tuple(parts[-2:-1]) or len(parts) == 1)


def _may_be_given(job: Job, given: Mapping[str, str | None]) -> bool:
    """Whether a job may give its script some options: those that it surely gives are there, with their values."""
    for name, known in job.options.items():
        if name not in given or (known.value is not None and given[name] not in (known.value, None)):
            return False
    if not job.flags <= given.keys():
        return False
    more = given.keys() - job.options.keys() - job.flags - _BY_LAUNCHERS
    return not (job.is_whole and more)


def _options(words: Sequence[str]) -> dict[str, str | None]:
    """The options of a script, with underscores, and their values; None for one without."""
    found: dict[str, str | None] = {}
    for index, word in enumerate(words):
        if not word.startswith("--") or len(word) < len("--x"):
            continue
        name, equals, value = word[2:].partition("=")
        following = words[index + 1] if index + 1 < len(words) else "--"
        found[name.replace("-", "_")] = value if equals else None if following.startswith("--") else following
    return found
