"""What is asked of a check."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ddl_lint.check.configuration import Configuration
from ddl_lint.check.report import Report
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Applicability
from ddl_lint.source import Document

Narrow = Callable[[Report], Report]
"""Leaves out of a report what is not asked about, such as findings that are known."""

Ask = Callable[[Diagnostic, Mapping[str, Document], str], bool]
"""Whether to apply a fix: a person is asked with the finding, the documents that it points into, and the difference."""


@dataclass(frozen=True)
class MakeFixes:
    """Make the fixes of what is found, and of what is found then, until nothing changes."""

    level: Applicability | None = None
    """The least safe fixes that are made; None: what the settings of each file say."""

    only: Collection[str] | None = None
    """The paths of the files that may be changed; None: all that are checked. What is found elsewhere stays out."""

    ask: Ask | None = None
    """Who is asked before each fix."""

    writes: bool = False
    """Whether the files are written, or only answered what they would hold."""


@dataclass(frozen=True)
class AddIgnores:
    """Put in comments that silence what is found."""

    writes: bool = False
    """As for `MakeFixes`."""


@dataclass(frozen=True)
class Request:
    """Files to check, and what is to be done about what is found in them."""

    paths: Sequence[Path]
    """The files, absolute. Other files of their projects are read where they import these, or these them."""

    configuration: Configuration = field(default_factory=Configuration)
    overlay: Mapping[str, str] = field(default_factory=dict[str, str])
    """Path (POSIX) to a text that replaces the file's content."""

    task: MakeFixes | AddIgnores | None = None
    """None: only tell what is found."""

    named: frozenset[str] = frozenset()
    """Those of the files (POSIX) of which the report tells when no rule reads them."""

    jobs: int = 1
    """How many processes may work at once where there is much to do. The outcome is the same for all numbers."""

    alone: bool = False
    """Leave out who imports these files; the answer comes sooner and may lack something."""

    narrow: Sequence[Narrow] = ()
    """What makes the report smaller, in this order. What is left out is not fixed either."""

    stoppable: bool = False
    """Whether Ctrl-C ends the check, once something may have been found, and not the program."""

    environment: str = ""
    """The path of a shell text: what it exports is the environment in which the launch lines of these files run."""

    stored: bool = False
    """Whether the stored report of an earlier check will do; if there is none, that of this check is stored."""
