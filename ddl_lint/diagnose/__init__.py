"""From the logs of a job that died to the line of code: `diagnose` is the one question, `Answer` what it is answered.

Nothing of a log is executed or trusted: it is read as text, in bounded pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import BinaryIO

from ddl_lint.diagnose.answer import Answer, because, blame, certainty, holes_of, rank_lines, to_do_next
from ddl_lint.diagnose.candidates import Candidate, candidates
from ddl_lint.diagnose.causes import cause_of
from ddl_lint.diagnose.code import Code, read_code
from ddl_lint.diagnose.facts import Log
from ddl_lint.diagnose.inputs import find_inputs
from ddl_lint.diagnose.job_of_log import job_of
from ddl_lint.diagnose.phrases import Phrases
from ddl_lint.diagnose.reading import Progress, read_logs
from ddl_lint.diagnose.symptom import Symptom, symptom
from ddl_lint.registry.rules import Installed

__all__ = ["Answer", "Candidate", "Code", "Log", "answer", "diagnose", "read", "read_code"]


def diagnose(
    logs: Iterable[str],
    code: Code | Callable[[], Code] | None,
    installed: Installed,
    *,
    stdin: BinaryIO | None = None,
    progress: Progress | None = None,
) -> Answer:
    """What became of a job, by its logs and its code.

    Args:
        logs: Files and folders; `-` for standard input.
        code: What is known of the code, or what reads it; None where there is none.
        installed: The rules, whose pages know messages.
        stdin: What `-` means.
        progress: Called with each file that is read.
    """
    return answer(read(logs, stdin, progress), code, installed)


def read(logs: Iterable[str], stdin: BinaryIO | None = None, progress: Progress | None = None) -> Log:
    """What some logs tell; what cannot be read is among the problems."""
    inputs, problems = find_inputs(logs)
    log = read_logs(inputs, stdin, progress)
    log.problems[:0] = problems
    return log


def answer(log: Log, code: Code | Callable[[], Code] | None, installed: Installed) -> Answer:
    """What became of a job, by what was read."""
    seen = symptom(log)
    cause = cause_of(seen.kind)
    phrases = Phrases(installed.rules)
    is_of_code = cause.blame in ("code", "launch", "unknown") or bool(cause.rules or cause.silent)
    known = code() if callable(code) and is_of_code else None if callable(code) else code
    if known is not None:
        known = _of_its_job(known, seen)
    found = candidates(seen, cause, known, phrases) if known is not None else []
    holes = holes_of(seen)
    place = known.place(known.job.place) if known is not None and known.job is not None else ""
    sure = certainty(seen, cause, found)
    quoted = phrases.rules_for(seen.raised.text) if seen.raised is not None else ()
    return Answer(
        seen.kind,
        cause.sentence(holes),
        blame(cause, found, sure),
        sure,
        tuple(because(seen, cause, found, log, place, has_code=known is not None or not is_of_code)),
        tuple(rank_lines(seen)),
        tuple(found),
        cause.to_look_at(holes),
        to_do_next(seen, cause, log),
        seen.quotes,
        tuple(each.short for each in seen.others),
        tuple(dict.fromkeys(quoted))[:_MOST_RULES],
        (*log.problems, *(known.problems if known is not None else ())),
        known.all_documents if known is not None else {},
        known.folder if known is not None else "",
        log.lines,
        len(log.files),
        place,
    )


def _of_its_job(code: Code, seen: Symptom) -> Code:
    """The code as the job of the logs runs it, where they tell which one that is."""
    job = job_of(seen, lambda: code.jobs) if code.job is None else None
    return code if job is None else code.of_job(job)


_MOST_RULES = 4
