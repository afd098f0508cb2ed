"""Files that are the steps of one program, as tutorials keep them: what a later one corrects is expected before."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import NamedTuple

from ddl_lint.finding import RuleFinding, Severity

_NUMBERED = re.compile(r"(?P<stem>.*\D)(?P<number>\d{1,4})(?P<rest>\D*)")
_ALIKE = 0.8
"""How much of a file is in the next version of it; two programs of a course share less."""


class _Step(NamedTuple):
    """A file of a series."""

    series: tuple[str, str, str]
    number: int


def lowered_steps(
    found: Iterable[RuleFinding], files: Iterable[str], text: Callable[[str], str], launched: Collection[str]
) -> Iterator[RuleFinding]:
    """The findings; those in the steps of a series whose last one, much the same otherwise, has none are one hint.

    Args:
        found: All findings in the files of a project.
        files: Its programs that were followed.
        text: The text of one of them.
        launched: What launches start, which are programs of their own.
    """
    found = list(found)
    last = _last_steps(files)
    faulty = {(each.code, each.finding.location.path) for each in found}
    alike: dict[tuple[str, str], bool] = {}
    for each in found:
        path = each.finding.location.path
        step = _step(path)
        final = last.get(step.series) if step is not None else None
        if step is None or final is None or final == path or path in launched or (each.code, final) in faulty:
            yield each
            continue
        if (path, final) not in alike:
            alike[path, final] = _is_version(text(path), text(final))
        if not alike[path, final]:
            yield each
            continue
        cause = f"steps {'#'.join(step.series)}"
        doubt = each.finding.doubt or f"`{PurePath(final).name}`, the last step of this series, is without it"
        yield replace(each, finding=replace(each.finding, severity=Severity.INFO, doubt=doubt, cause=cause))


def _last_steps(files: Iterable[str]) -> Mapping[tuple[str, str, str], str]:
    """The file with the highest number of each series."""
    steps: dict[tuple[str, str, str], list[tuple[int, str]]] = defaultdict(list)
    for path in files:
        if (step := _step(path)) is not None:
            steps[step.series].append((step.number, path))
    return {series: max(members)[1] for series, members in steps.items() if len(members) > 1}


def _step(path: str) -> _Step | None:
    name = PurePath(path)
    found = _NUMBERED.fullmatch(name.stem)
    if found is None:
        return None
    return _Step((name.parent.as_posix(), found["stem"], found["rest"] + name.suffix), int(found["number"]))


def _is_version(one: str, other: str) -> bool:
    """Whether nearly all lines of one program are in another."""
    lines, others = ([line.strip() for line in text.splitlines() if line.strip()] for text in (one, other))
    kept = set(others)
    return bool(lines) and sum(line in kept for line in lines) >= _ALIKE * len(lines)
