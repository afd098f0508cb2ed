"""Programs that tests check, each as a project of its own, and what becomes of them by their fixes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from invariants import broken, names_another

from cases import Program, program_at
from ddl_lint.check.case_outcome import Mark, Outcome, check_case
from ddl_lint.check.engine import check_project
from ddl_lint.finding import Fix
from ddl_lint.fixes.apply import choose, edited
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule, load_rules


@cache
def _rules() -> Sequence[Rule]:
    return load_rules()


def check_program(case: Program | Path, folder: Path, *, ignore: tuple[str, ...] = ()) -> Outcome:
    """Check a program with all rules but those that are to be ignored."""
    return check_case(case, folder, _rules(), ignore=ignore)


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
