"""Programs that tests check, each as a project of its own; comments at the ends of its lines say what is to be found.

`# error: [rule-name]` stands on each line that a rule must report (several names are separated by commas), `# info:` or
`# warning:` where that must be an info, or more than one, and `# related: [rule-name]` on each line that must be shown
as evidence of such a finding. The programs that the pages of rules show say `# expect: rule-name` and
`# expect-related: rule-name`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from invariants import broken, names_another

from cases import Program, program_at
from ddl_lint.check.engine import check_project
from ddl_lint.finding import Fix, Severity
from ddl_lint.fixes.apply import choose, edited
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule, load_rules

_NAMES = r"[\w\-]+(?:, *[\w\-]+)*"
_EXPECT = re.compile(rf"# *(?:(?:error|info|warning): \[({_NAMES})\]|expect: *({_NAMES}))")
_INFO = re.compile(rf"# *info: \[({_NAMES})\]")
_MORE = re.compile(rf"# *warning: \[({_NAMES})\]")
_RELATED = re.compile(rf"# *(?:related: \[({_NAMES})\]|expect-related: *({_NAMES}))")
_MARK = re.compile(rf"[ \t]*# *(?:(?:error|info|warning|related): \[{_NAMES}\]|expect(?:-related)?: *{_NAMES})")


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


@cache
def _rules() -> Sequence[Rule]:
    return load_rules()


def check_program(case: Program | Path, folder: Path, *, ignore: tuple[str, ...] = ()) -> Outcome:
    """Check a program with all rules but those that are to be ignored, in a copy below `folder`, apart from the other
    programs of this repository.
    """
    program = program_at(case) if isinstance(case, Path) else case
    root = folder / "case"
    settings = Settings(pedantic=True, preview=True, ignore=ignore)
    report = check_project(program.write(root), lambda _: settings, _rules())
    assert not report.problems
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
        set(_marks(program, _EXPECT)),
        set(_marks(program, _INFO)),
        set(_marks(program, _MORE)),
        set(_marks(program, _RELATED)),
        {mark(path, start, rule) for (path, start, end), rule in places if "\n" in texts.get(path, "")[start:end]},
        {(finding.name, finding.message, finding.consequence) for finding in report.findings},
    )


def _marks(program: Program, pattern: re.Pattern[str]) -> Iterator[Mark]:
    for name, lines in program.files.items():
        for line in lines if not name.endswith(".md") else ():
            if match := pattern.search(line.text):
                for name in next(filter(None, match.groups())).split(","):
                    yield Mark(line.source, line.number, name.strip())


class Mended(NamedTuple):
    """A program after the fixes of all its findings: its files by name, and the rules that still find something."""

    texts: dict[str, str]
    first: set[Mark]
    """What was found."""

    left: set[Mark]
    """What is still found."""

    fixes: list[tuple[str, Fix]]
    """The fixes that were made, each with its rule."""

    unfixable: set[tuple[Mark, str]]
    """Findings of the first check without a fix, with the reason."""

    broken: list[tuple[str, str]]
    """What must hold of every fix and did not, each with its rule."""


def mend_program(
    case: Program | Path,
    folder: Path,
    change: Callable[[str, str], str] = lambda _, text: text,
    *,
    ignore: tuple[str, ...] = (),
) -> Mended:
    """Make all fixes of a program, round by round, in a copy below `folder`.

    `change` is done to each text before, by the name of its file. The rules `ignore` mend nothing.
    """
    program = program_at(case) if isinstance(case, Path) else case
    root = folder / "mended"
    files = program.write(root)
    for path in filter(Path.is_file, root.rglob("*")):
        path.write_bytes(change(path.name, read_text(path)).encode())
    texts = {path.as_posix(): read_text(path) for path in files}
    settings = Settings(pedantic=True, preview=True, ignore=ignore)
    fixes: list[tuple[str, Fix]] = []
    wrong: list[tuple[str, str]] = []
    unfixable, first, left = set[tuple[Mark, str]](), set[Mark](), set[Mark]()
    for turn in range(10):
        report = check_project(files, lambda _: settings, _rules(), overlay=texts)
        assert not report.problems
        places = {
            finding: Mark(
                Path(finding.location.path).relative_to(root).as_posix(),
                report.documents[finding.location.path].position(finding.location.start)[0],
                finding.name,
            )
            for finding in report.findings
        }
        left = set(places.values())
        if turn == 0:
            first = left
            unfixable = {(place, finding.unfixable) for finding, place in places.items() if finding.fix is None}
        chosen = choose(finding for finding in report.findings if finding.fix is not None and finding.fix.edits)
        if not chosen.chosen:
            break
        fixes += [(finding.name, finding.fix) for finding in chosen.chosen if finding.fix is not None]
        now = {path: texts.get(path) or read_text(Path(path)) for path in {*texts, *chosen.edits}}
        for finding in chosen.chosen:
            if finding.fix is not None:
                faults = [*broken(now, finding.fix), *names_another(finding.help, finding.fix)]
                wrong += ((finding.name, fault) for fault in faults)
        for path, edits in chosen.edits.items():
            texts[path] = edited(texts.get(path) or read_text(Path(path)), edits)
            if path.endswith(".py"):
                compile(texts[path], path, "exec")
    names = {Path(path).relative_to(root).as_posix(): text for path, text in texts.items()}
    return Mended(names, first, left, fixes, unfixable, wrong)


def read_text(path: Path) -> str:
    """The text of a file with its line ends as they are."""
    with path.open(encoding="utf-8", newline="") as stream:
        return stream.read()


def without_marks(text: str) -> str:
    """A text without the comments that say what is expected."""
    return _MARK.sub("", text)
