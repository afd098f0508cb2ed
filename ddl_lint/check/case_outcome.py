"""Programs that tests check, each as a project of its own; `case_marks` says what is to be found in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ddl_lint.check.case_marks import REPORTED, Kind, marked
from ddl_lint.check.engine import check_project
from ddl_lint.check.rule_cases import CaseError, Program, program_at
from ddl_lint.finding import Severity
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule


class Mark(NamedTuple):
    """One line of a program, where it is written, and the rule that it belongs to."""

    file: str
    line: int
    rule: str


class Outcome(NamedTuple):
    """What was found in a program, beside what its comments expect."""

    found: set[Mark]
    infos: set[Mark]
    """Those of them that are infos."""

    evidence: set[Mark]
    expected: set[Mark]
    expected_infos: set[Mark]
    unexpected_infos: set[Mark]
    """What must be more than an info."""

    expected_evidence: set[Mark]
    on_several_lines: set[Mark]
    """Findings, and evidence, whose place goes over the end of a line."""

    messages: set[tuple[str, str, str]]
    """What was said, each with the rule that says it, and the consequence of the finding."""


def check_case(case: Program | Path, folder: Path, rules: Sequence[Rule], *, ignore: tuple[str, ...] = ()) -> Outcome:
    """Check a program with all of these rules but those that are to be ignored, in a copy below `folder`, apart from
    other programs.

    Raises:
        CaseError: the program cannot be checked.
    """
    program = program_at(case) if isinstance(case, Path) else case
    root = folder / "case"
    settings = Settings(pedantic=True, preview=True, ignore=ignore)
    report = check_project(program.write(root), lambda _: settings, rules)
    if report.problems:
        raise CaseError(f"{program.name}: {report.problems[0].message}")
    texts = {path: document.text for path, document in report.documents.items()}

    def mark(path: str, start: int, rule: str) -> Mark:
        lines = program.files[Path(path).relative_to(root).as_posix()]
        line = lines[texts[path].count("\n", 0, start)]
        return Mark(line.source, line.number, rule)

    places = [
        (place, finding.name)
        for finding in report.findings
        for place in (finding.location, *(evidence.location for evidence in finding.evidence))
    ]
    return Outcome(
        {mark(finding.location.path, finding.location.start, finding.name) for finding in report.findings},
        {
            mark(finding.location.path, finding.location.start, finding.name)
            for finding in report.findings
            if finding.severity is Severity.INFO
        },
        {
            mark(evidence.location.path, evidence.location.start, finding.name)
            for finding in report.findings
            for evidence in finding.evidence
        },
        set(_marks_in(program, *REPORTED)),
        set(_marks_in(program, "info")),
        set(_marks_in(program, "warning")),
        set(_marks_in(program, "related")),
        {mark(path, start, rule) for (path, start, end), rule in places if "\n" in texts.get(path, "")[start:end]},
        {(finding.name, finding.message, finding.consequence) for finding in report.findings},
    )


def _marks_in(program: Program, *kinds: Kind) -> Iterator[Mark]:
    for file, lines in program.files.items():
        for line in lines if not file.endswith(".md") else ():
            yield from (Mark(line.source, line.number, rule) for rule in marked(line.text, *kinds))
