"""The launches of a project, as they are shown: one a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Row(Protocol):
    """One launch, as `ddl_lint.check.job_table` describes it."""

    @property
    def file(self) -> str: ...

    @property
    def line(self) -> int: ...

    @property
    def launchers(self) -> tuple[str, ...]: ...

    @property
    def script(self) -> str: ...

    @property
    def is_found(self) -> bool: ...

    @property
    def nodes(self) -> int | None: ...

    @property
    def processes(self) -> int | None: ...

    @property
    def world_size(self) -> int | None: ...

    @property
    def engine(self) -> str: ...

    @property
    def batch(self) -> str: ...

    @property
    def versions(self) -> str: ...

    @property
    def container(self) -> str: ...

    @property
    def unknown(self) -> tuple[str, ...]: ...


def headline(rows: Sequence[Row], files: int) -> str:
    """How much there is, in one line."""
    read = f"{files} file{'s' * (files != 1)}"
    if not rows:
        return f"No launch lines found in {read}."
    linked = sum(row.is_found for row in rows)
    return f"{len(rows)} launch line{'s' * (len(rows) != 1)} in {read}; the script of {linked} is in the project."
