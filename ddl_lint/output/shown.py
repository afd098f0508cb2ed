"""What a format is given: the findings in their order, and what there is to say beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ddl_lint.diagnostic import Diagnostic, Silenced
from ddl_lint.escape import one_line, several_lines
from ddl_lint.finding import Evidence, Fix
from ddl_lint.program.followed import Coverage
from ddl_lint.registry.rule_file import RuleInfo
from ddl_lint.source.document import Document

if TYPE_CHECKING:
    from ddl_lint.output.fingerprints import Fingerprint
    from ddl_lint.output.links import Links


@dataclass(frozen=True)
class Shown:
    """A report as it is shown. Formats are pure functions of it."""

    findings: Sequence[Diagnostic]
    documents: Mapping[str, Document]
    """Those that findings and evidence point into, by path."""

    files: int | None = None
    """The number of files checked, for the summary; None leaves it out."""

    colour: bool = False
    """Whether to colour the formats that are made for people."""

    summary: bool = True
    """Whether those formats end with a summary."""

    programs: Sequence[Coverage] = ()
    """What was followed from where, for the formats that programs read."""

    links: Links | None = None
    """Where places and rules lead to, in the formats that are made for people; None: they are no links."""

    counts: bool = False
    """Whether to count the findings: in place of them for people, besides them in JSON."""

    rules: Mapping[str, RuleInfo] = field(default_factory=dict[str, RuleInfo])
    """What is known of the rules, by code."""

    folder: str = ""
    """The folder that files are relative to in fingerprints; empty: the working directory."""

    hints: int = 0
    """How many infos are not shown."""

    silenced: Sequence[Silenced] = ()
    """What comments and a baseline leave out, for the formats that say so."""

    @cached_property
    def fingerprints(self) -> Sequence[Fingerprint]:
        """That of each finding."""
        from ddl_lint.output.fingerprints import fingerprints  # people see none

        return fingerprints(self.findings, self.documents, self.folder)


def escaped(finding: Diagnostic) -> Diagnostic:
    """A finding whose words act on nothing, whatever names of the checked code are in them."""
    return replace(
        finding,
        name=one_line(finding.name),
        message=one_line(finding.message),
        evidence=tuple(
            Evidence(one_line(each.message), each.location, one_line(each.ranks)) for each in finding.evidence
        ),
        help=several_lines(finding.help),
        fix=_escaped_fix(finding.fix) if finding.fix is not None else None,
        unfixable=one_line(finding.unfixable),
        doubt=one_line(finding.doubt),
        ranks=one_line(finding.ranks),
    )


def _escaped_fix(fix: Fix) -> Fix:
    """A fix whose words act on nothing; its edits are code, and stay what they are."""
    return replace(fix, title=one_line(fix.title), reason=one_line(fix.reason))
