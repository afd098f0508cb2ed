"""What was followed from where, and what was not and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ddl_lint.escape import one_line
from ddl_lint.output.places import place_of, shown_name, shown_path
from ddl_lint.program.followed import Coverage
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location


def lines(programs: Iterable[Coverage], documents: Mapping[str, Document]) -> list[str]:
    """A line for each: `cli.py::main: console script "train" of pyproject.toml:12`."""
    return [_line(program, documents) for program in _ordered(programs)]


def fields(programs: Iterable[Coverage], documents: Mapping[str, Document]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "file": shown_path(program.path),
            "entry": program.entry or None,
            "kind": program.kind,
            "followed": program.followed,
            "reason": _reason(program, documents),
        }
        for program in _ordered(programs)
    ]


def partly_followed(programs: Iterable[Coverage], documents: Mapping[str, Document]) -> Iterator[tuple[str, str]]:
    """The scripts that were not followed to their end, or in which a call may hide that ranks meet; each with why."""
    for program in programs:
        if reason := _why_partial(program, documents):
            yield _name(program), reason


def _why_partial(program: Coverage, documents: Mapping[str, Document]) -> str:
    if program.cut:
        return f"stopped after {program.cut}"
    if program.hidden is None or not program.hides_work or program.hidden.path not in documents:
        return ""
    return f"cannot tell what is called in {_line_of(program.hidden, documents)}"


def _line_of(location: Location, documents: Mapping[str, Document]) -> str:
    place = place_of(location, documents)
    cell = f"cell {place.cell}, " if place.cell is not None else ""
    return f"{cell}line {place.line}"


def _name(program: Coverage) -> str:
    return shown_name(program.path) + (f"::{one_line(program.entry)}" if program.entry else "")


def _ordered(programs: Iterable[Coverage]) -> list[Coverage]:
    return sorted(programs, key=lambda program: (program.path, program.kind == "library", program.entry))


def _line(program: Coverage, documents: Mapping[str, Document]) -> str:
    name = _name(program)
    reason = one_line(_reason(program, documents))
    if not program.followed:
        return f"{name}: not followed: {reason}"
    if program.kind in ("script", "notebook"):
        return f"{name}: {program.kind} ({reason})"
    return f"{name}: {reason}"


def _reason(program: Coverage, documents: Mapping[str, Document]) -> str:
    if program.hidden is None or program.hidden.path not in documents:
        return program.reason
    return f"{program.reason}; what is called at {_line_of(program.hidden, documents)} cannot be seen"
