"""The lines that are understood: `knowledge/lines.yaml`, made ready to search with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from ddl_lint.diagnose.facts import Role
from ddl_lint.jobs.known import read_data

KNOWLEDGE = Path(__file__).with_name("knowledge")

FIELDS = frozenset(
    {
        *("rank", "peers", "ready", "local_rank", "group", "op", "peer_op", "sequence", "peer_sequence"),
        *("numel", "numel_out", "shape", "peer_shape", "dtype", "peer_dtype", "queued", "completed"),
        *(
            "limit_ms",
            "ran_ms",
            "seconds",
            "way",
            "size",
            "total",
            "got",
            "joined",
            "host",
            "address",
            "port",
            "device",
        ),
        *("name", "indices", "reason", "code", "exit_code", "pid", "argv", "script", "path"),
    }
)
"""The groups that a pattern may have; one that ends in `2` is the same field in another spelling of the line."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """What lines of one kind look like."""

    kind: str
    role: Role
    needs: tuple[str, ...]
    line: re.Pattern[str]

    def values(self, text: str) -> Mapping[str, str] | None:
        """The fields of a line; None for a line of another kind."""
        if not any(need in text for need in self.needs):
            return None
        found = self.line.search(text)
        if found is None:
            return None
        return {name.rstrip("2"): value for name, value in found.groupdict().items() if value is not None}


@cache
def patterns() -> tuple[Pattern, ...]:
    """All of them, in the order in which they are tried."""
    return tuple(
        Pattern(each["kind"], cast(Role, each["role"]), tuple(each["needs"]), re.compile(each["line"]))
        for each in described()
    )


def described() -> list[dict[str, Any]]:
    """The patterns as they are written down, with their samples."""
    return read_data(KNOWLEDGE / "lines.yaml")


def anchors() -> Iterator[bytes]:
    """The texts of which each line that is understood holds one."""
    yield from dict.fromkeys(need.encode() for pattern in patterns() for need in pattern.needs)


def understood(text: str) -> tuple[Pattern, Mapping[str, str]] | None:
    """The pattern of a line, and its fields."""
    for pattern in patterns():
        values = pattern.values(text)
        if values is not None:
            return pattern, values
    return None
