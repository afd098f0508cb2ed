"""Who executes a line, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddl_lint.analysis.ranks.reach import Condition, EarlyExit, Reach, Visit
from ddl_lint.output.cells import printable
from ddl_lint.output.places import shown_path
from ddl_lint.output.trace.labels import where
from ddl_lint.output.trace.outline import Documents
from ddl_lint.source.span import Location

_LEFT = {
    "return": "returned",
    "break": "left the loop",
    "continue": "went on to the next iteration",
    "exit": "ended the program",
    "raise": "raised an error",
}


def who(runs: Sequence[Reach], documents: Documents, path: str, line: int) -> str:
    """A paragraph for each run that gets to a line of code."""
    place = f"{shown_path(path)}:{line}"
    if not runs:
        return printable(f"{place}: nothing that was followed gets to this line") + "\n"
    lines: list[str] = []
    for run in runs:
        how = "its function by itself, with unknown arguments" if run.alone else f"run as {shown_path(run.path)}"
        lines.append(f"{place}, {how}:")
        lines.extend(f"  {sentence(visit, documents)}" for visit in run.visits)
    return "".join(f"{printable(each)}\n" for each in lines)


def places(runs: Sequence[Reach]) -> tuple[Location, ...]:
    """The places that `who` names."""
    found: list[Location] = []
    for visit in (visit for run in runs for visit in run.visits):
        for each in (*visit.only_if, *visit.unless, *([visit.because] if visit.because is not None else [])):
            found.append(each.location)
            if isinstance(each, EarlyExit):
                found.extend(condition.location for condition in each.conditions)
    return tuple(dict.fromkeys(found))


def sentence(visit: Visit, documents: Documents) -> str:
    """Such as `rank 0 executes it, if `args.save` (train.py:80)`."""
    ranks = visit.ranks
    several = ranks.does("wait").endswith("wait")
    pronoun = "they" if several else "it"
    if visit.because is None:
        return ", ".join([ranks.does("execute") + " it", *_restrictions(visit, pronoun, documents)])
    verb = "do not execute" if several else "does not execute"
    if isinstance(visit.because, EarlyExit):
        return f"{ranks.title} {verb} it: {pronoun} {_left(visit.because, documents)}"
    condition = visit.because
    return (
        f"{ranks.title} {verb} it: `{condition.text}` ({where(condition.location, documents)}) is {not condition.holds}"
    )


def _restrictions(visit: Visit, pronoun: str, documents: Documents) -> Iterator[str]:
    if visit.only_if:
        yield "only " + " and ".join(_given(condition, documents) for condition in visit.only_if)
    for way in visit.unless:
        yield f"unless {pronoun} {_left(way, documents)}"


def _given(condition: Condition, documents: Documents) -> str:
    word = "if" if condition.holds else "unless"
    return f"{word} `{condition.text}` ({where(condition.location, documents)})"


def _left(way: EarlyExit, documents: Documents) -> str:
    under = "".join(f", {_given(condition, documents)}" for condition in way.conditions)
    return f"{_LEFT[way.kind]} before ({where(way.location, documents)}){under}"
