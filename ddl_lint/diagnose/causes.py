"""What is known of the causes of failures: `knowledge/causes.yaml`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias, cast

from ddl_lint.diagnose.patterns import KNOWLEDGE
from ddl_lint.jobs.known import read_data

Blame: TypeAlias = Literal["code", "launch", "machine", "job", "unknown"]
"""Where a fault is to be looked for."""

_HOLE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Cause:
    """What is known of one kind of failure."""

    kind: str
    says: Sequence[str]
    blame: Blame
    waits: bool = False
    """Whether ranks wait for each other, so that what rules say of hangs may explain it."""

    silent: str = ""
    """The consequence of faults that end like this without a line in the log, such as `hang`; empty where none do."""

    rules: Sequence[str] = ()
    look: Sequence[str] = ()
    next: Sequence[str] = ()

    def sentence(self, holes: Mapping[str, str]) -> str:
        """What happened, in one sentence."""
        for text in self.says:
            if all(holes.get(hole) for hole in _HOLE.findall(text)):
                return filled(text, holes)
        return _without_holes(self.says[-1])

    def to_look_at(self, holes: Mapping[str, str]) -> tuple[str, ...]:
        """What to look at, where no rule finds anything."""
        return tuple(
            text[:1].upper() + text[1:] for each in self.look if (text := filled(each, holes)) and "{" not in text
        )


def filled(text: str, holes: Mapping[str, str]) -> str:
    """A text with its holes filled; what is not known stays a hole."""
    return _HOLE.sub(lambda found: holes.get(found[1]) or found[0], text)


def _without_holes(text: str) -> str:
    return re.sub(r" ?[(`]*\{\w+\}[)`]*", "", text)


@cache
def causes() -> Mapping[str, Cause]:
    """All of them, by kind."""
    return {kind: _cause(kind, told) for kind, told in _content()["causes"].items()}


@cache
def to_collect() -> Mapping[str, str]:
    """What a next run may collect, by name."""
    return cast(Mapping[str, str], _content()["next"])


def cause_of(kind: str) -> Cause:
    """What is known of a kind."""
    known = causes()
    return known.get(kind) or known["unknown"]


@cache
def _content() -> dict[str, Any]:
    return read_data(KNOWLEDGE / "causes.yaml")


def _cause(kind: str, told: Mapping[str, Any]) -> Cause:
    return Cause(
        kind,
        told["says"],
        told["blame"],
        told.get("waits", False),
        told.get("silent", ""),
        told.get("rules", ()),
        told.get("look", ()),
        told.get("next", ()),
    )
