"""What was followed of a project, and what was not: told beside the findings."""

from __future__ import annotations

from dataclasses import dataclass

from ddl_lint.source.span import Location


@dataclass(frozen=True)
class Coverage:
    """What became of one entry, of a library module, or of a file that was not followed.

    `kind` is that of the entry, `library` for code that no entry reaches, `none` for a file that was not followed.
    `hidden` is a call that cannot be seen in a script in which nothing else was found.
    """

    path: str
    kind: str
    entry: str
    followed: bool
    reason: str
    hidden: Location | None = None
