"""The outcome of a check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ddl_lint.diagnostic import Diagnostic, Silenced
from ddl_lint.program.followed import Coverage
from ddl_lint.project.discover import Problem
from ddl_lint.project.inputs import Inputs
from ddl_lint.source import Document


@dataclass
class Report:
    """What a check found.

    `documents` are those that findings and evidence point into, by path; `problems` kept us from checking what was
    asked; `files` counts the files that were asked for, but for those `unread`.
    """

    findings: list[Diagnostic]
    documents: Mapping[str, Document]
    problems: list[Problem]
    files: int
    inputs: Inputs | None = None
    """What the findings depend on; None where they may not be used again."""

    programs: Sequence[Coverage] = ()
    """What was followed from where, and what was not."""

    unread: Sequence[str] = ()
    """The named files that no rule reads."""

    is_whole: bool = True
    """Whether the check has come to all that was asked for; a finding tells what it has not come to."""

    is_interrupted: bool = False
    """Whether somebody has ended it by Ctrl-C."""

    hints: Sequence[Diagnostic] = ()
    """The infos that are shown only to programs, which choose by severity."""

    silenced: Sequence[Silenced] = ()
    """What comments hide, and what a baseline names."""

    known: frozenset[str] = frozenset()
    """The fingerprints of findings that are left out because a baseline names them."""
