"""What logs say that no rule quotes, and what to do: the data that `ddl-lint diagnose` works with, as messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ddl_lint.jobs.known import read_data

_KNOWLEDGE = Path(__file__).parent.with_name("diagnose") / "knowledge"
"""Data of the floor above, which is read here and not imported."""

_HOLE = re.compile(r"\{(\w+)\}")
_ANY: Mapping[str, str] = {"absent": "the missing ranks", "host": "that host", "size": "all"}
"""What is said in place of what only a log tells."""

_HEAD = re.compile(r"^(?:\[[^\]]*\]:? ?)+|^[EWI]\d+ [\d:]+ \d+ \S+\] ")
"""Who says a line, and when."""


@dataclass(frozen=True, slots=True)
class LogMessage:
    """A message, the rules whose findings may be its cause, and what to look at else."""

    text: str
    rules: Sequence[str]
    look: Sequence[str]


def log_messages() -> Iterator[LogMessage]:
    """All of them, by cause: a sample of each kind of line that a cause explains, and what is said in other words."""
    told: Mapping[str, Any] = read_data(_KNOWLEDGE / "causes.yaml")
    others: Mapping[str, Mapping[str, list[str]]] = read_data(_KNOWLEDGE / "messages.yaml")
    lines: Sequence[Mapping[str, Any]] = read_data(_KNOWLEDGE / "lines.yaml")
    for kind, cause in told["causes"].items():
        more = others.get(kind, {})
        kinds = {kind, *more.get("lines", ())}
        rules = cast(Sequence[str], cause.get("rules", ()))
        look = [_HOLE.sub(lambda hole: _ANY[hole[1]], text) for text in cause.get("look", ())]
        if not rules or not look:
            look += [f"Then collect: {told['next'][name]}" for name in cause.get("next", ())[:1]]
        samples = [_HEAD.sub("", line["sample"]) for line in lines if line["kind"] in kinds]
        for text in dict.fromkeys([*samples, *more.get("shows", ())]):
            yield LogMessage(" ".join(text.split()), rules, look)
