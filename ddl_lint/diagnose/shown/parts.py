"""The parts of an answer that all formats show, as plain texts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import PurePath

from ddl_lint.diagnose.answer import Answer, Certainty
from ddl_lint.diagnose.candidates import Candidate
from ddl_lint.diagnose.facts import LogPlace, spelled
from ddl_lint.diagnose.symptom import Quote
from ddl_lint.finding import Applicability
from ddl_lint.fixes.apply import by_path, edited
from ddl_lint.fixes.diff import unified_diff
from ddl_lint.output.places import shown_path

CERTAINTIES: dict[Certainty, str] = {
    "sure": "Sure",
    "likely": "Likely",
    "where": "Sure where it stopped; no rule knows why",
    "possible": "Possible: check it before you change anything",
    "cannot tell": "Cannot tell",
}


def who(ranks: tuple[int, ...]) -> str:
    """The ranks of a line."""
    return spelled(ranks) if ranks else "a rank"


def place(candidate: Candidate) -> str:
    """Such as `src/train.py:41`."""
    return f"{shown_path(candidate.spot.path)}:{candidate.spot.line}"


def log_place(found: LogPlace) -> str:
    """Such as `job.log:14`."""
    name = "stdin" if found.file == "-" else shown_path(found.file)
    return f"{name}:{found.line}" if found.line else name


def message(candidate: Candidate) -> str:
    """What is said of a line, with the rule that says it."""
    finding = candidate.finding
    return candidate.message if finding is None else f"{candidate.message} [{finding.code} {finding.name}]"


def headline(answer: Answer, candidate: Candidate) -> str:
    """The title of the main candidate."""
    if answer.certainty == "possible":
        return "Possible cause"
    if candidate.reason in ("finding", "rank-condition", "data-condition") and answer.certainty != "cannot tell":
        return (
            "Where the ranks part" if candidate.message.startswith("Hang") or candidate.finding is None else "The line"
        )
    return "Where a rank stopped" if candidate.reason == "raised" else "Where ranks waited"


def lead(answer: Answer, candidate: Candidate) -> str:
    """The main candidate in one sentence, no surer than it is."""
    before = {"possible": "Possible cause: ", "likely": "Likely cause: "}.get(answer.certainty, "")
    return f"{before}{place(candidate)}: {message(candidate)}"


def fix_title(candidate: Candidate) -> str:
    """How the fix of a finding is offered; empty where there is none."""
    finding = candidate.finding
    if finding is None or finding.fix is None:
        return ""
    unsafe = " --unsafe-fixes" if finding.fix.applicability is not Applicability.SAFE else ""
    command = f"ddl-lint check --fix{unsafe} --select {finding.code} {shown_path(finding.location.path)}"
    return f"{finding.fix.title} (`{command}`)"


def fix_diff(answer: Answer, candidate: Candidate) -> str:
    """What the fix of a finding changes, as a diff; empty where it changes a notebook or nothing."""
    finding = candidate.finding
    if finding is None or finding.fix is None:
        return ""
    parts: list[str] = []
    for path, edits in by_path(finding.fix.edits).items():
        document = answer.documents.get(path)
        if document is None or path.endswith(".ipynb"):
            return ""
        name = PurePath(shown_path(path)).as_posix()
        parts.append(unified_diff(path, name, document.text, edited(document.text, edits)))
    return "".join(parts)


def source_lines(answer: Answer, candidate: Candidate, around: int = 2) -> Iterator[tuple[int, str]]:
    """The code around a line."""
    document = answer.documents.get(candidate.spot.path)
    if document is not None:
        last = min(document.line_count, candidate.spot.line + around)
        for number in range(max(1, candidate.spot.line - around), last + 1):
            yield number, document.line_text(number)


def quotes(answer: Answer) -> Iterator[Quote]:
    """The lines of logs that speak for it, each once."""
    seen: set[tuple[str, str]] = set()
    for quote in answer.quotes:
        key = os.path.basename(quote.place.file), quote.text
        if key not in seen:
            seen.add(key)
            yield quote
