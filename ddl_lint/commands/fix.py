"""`check --fix`, `--diff`, `--ask` and `--add-ignore`: how they talk to people."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ddl_lint.check.fixing import Check, Files, Leftover, add_ignores, leftover, mend
from ddl_lint.check.report import Report
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Applicability
from ddl_lint.fixes.build import Unfixable
from ddl_lint.fixes.rounds import MAX_ROUNDS, Mended
from ddl_lint.fixes.write import WriteError
from ddl_lint.output import render
from ddl_lint.output.places import place_of, shown_path
from ddl_lint.project.config import Settings
from ddl_lint.source import Document


@dataclass
class Changed:
    """What became of the files."""

    report: Report
    """What is left."""

    summary: list[str] = field(default_factory=list[str])
    """Lines for people, below the findings."""

    problems: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Paths and messages of what went wrong."""

    output: str | None = None
    """What to print in place of the findings: a diff, or the text from stdin with its fixes."""

    exit_code: int = 0
    """What to return when `output` is printed."""


def run(
    options: argparse.Namespace,
    check: Check,
    report: Report,
    paths: Collection[Path],
    settings_for: Callable[[Path], Settings],
    overlay: Mapping[str, str],
) -> Changed:
    """Do what the options ask for.

    Args:
        options: Those of `check`.
        check: Checks the files again, with other texts.
        report: What was found in the files as they are.
        paths: The files that are checked, which are those that may be changed.
        settings_for: The settings of a file.
        overlay: The text of stdin, under the path that it stands for.
    """
    files = Files({path.as_posix() for path in paths}, overlay, report.documents)
    if options.add_ignore:
        return _add_ignores(options, check, report, files)

    def level(finding: Diagnostic) -> Applicability:
        with_unsafe = options.ask or settings_for(Path(finding.location.path)).unsafe_fixes
        return Applicability.UNSAFE if with_unsafe else Applicability.SAFE

    asking = _Asking() if options.ask else None
    mended, last = mend(check, report, files, level, asking)
    problems = [_failure(failure.finding, failure.reason, report) for failure in mended.failures]
    if not mended.is_stable:
        problems.append(
            ("", f"after {MAX_ROUNDS} rounds of fixes there was still something to fix; please report this")
        )
    if options.diff:
        return _shown(files, mended.texts, report, problems)
    changed = Changed(last, problems=problems)
    if overlay:
        changed.output = next(iter({**overlay, **mended.texts}.values()))
        changed.exit_code = int(bool(last.findings))
        return changed
    if not _written(files, mended.texts, changed):
        changed.report = report
        return changed
    changed.summary = [
        *_fixed(mended, report),
        *_left(leftover(last, mended, files, level), last),
    ]
    return changed


def _add_ignores(options: argparse.Namespace, check: Check, report: Report, files: Files) -> Changed:
    texts, last = add_ignores(check, report, files)
    if options.diff:
        return _shown(files, texts, report, [])
    changed = Changed(last)
    if files.overlay:
        changed.output = next(iter({**files.overlay, **texts}.values()))
        return changed
    if not _written(files, texts, changed):
        changed.report = report
        return changed
    silenced = len(report.findings) - len(last.findings)
    where = _count(len(texts), "file")
    changed.summary = [f"Silenced {_count(silenced, 'finding')} in {where}." if silenced else "Nothing to silence."]
    return changed


def _shown(files: Files, texts: Mapping[str, str], report: Report, problems: list[tuple[str, str]]) -> Changed:
    """A diff in place of the findings; exit code 1 when there is a difference."""
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    difference = files.diff(texts, colour=colour)
    return Changed(report, problems=problems, output=difference, exit_code=int(bool(difference)))


def _written(files: Files, texts: Mapping[str, str], changed: Changed) -> bool:
    try:
        files.write(texts)
    except (WriteError, Unfixable) as error:
        changed.problems.append(("", str(error)))
        return False
    return True


def _failure(finding: Diagnostic, reason: str, report: Report) -> tuple[str, str]:
    where = place_of(finding.location, report.documents).head
    title = finding.fix.title if finding.fix else finding.name
    return where, f"the fix of {finding.name} ({title}) was taken back, for {reason}; please report this"


# --- the summary ------------------------------------------------------------------------------------------------------


def _fixed(mended: Mended, report: Report) -> Iterator[str]:
    if not mended.fixed:
        yield "Fixed nothing."
        return
    yield f"Fixed {_count(len(mended.fixed), 'finding')} in {_count(len(mended.texts), 'file')}:"
    by_path: dict[str, Counter[str]] = {}
    for finding in mended.fixed:
        by_path.setdefault(finding.location.path, Counter())[finding.name] += 1
    for path, counts in sorted(by_path.items()):
        listed = ", ".join(f"{count} x {name}" for name, count in sorted(counts.items()))
        yield f"    {shown_path(path)}: {listed}"
    others = sorted(set(mended.texts) - set(by_path))
    if others:
        yield f"    and for these fixes: {', '.join(map(shown_path, others))}"


def _left(left: Leftover, report: Report) -> Iterator[str]:
    if left.unsafe:
        yield f"{_count(len(left.unsafe), 'finding')} more can be fixed with --unsafe-fixes: {_names(left.unsafe)}."
    if left.elsewhere:
        paths = sorted(
            {
                shown_path(edit.location.path)
                for finding in left.elsewhere
                for edit in (finding.fix.edits if finding.fix else ())
            }
        )
        yield (
            f"{_count(len(left.elsewhere), 'finding')} can be fixed when these files are checked together: "
            f"{', '.join(paths)}."
        )
    if left.declined:
        yield f"{_count(len(left.declined), 'fix', 'fixes')} declined: {_names(left.declined)}."
    if left.without:
        yield f"{_count(len(left.without), 'finding')} without a fix: {_names(left.without)}."


def _names(findings: Iterable[Diagnostic]) -> str:
    return ", ".join(sorted({finding.name for finding in findings}))


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


# --- asking -----------------------------------------------------------------------------------------------------------


class _Asking:
    """Shows each fix and asks: yes, no, all that come, or quit."""

    def __init__(self) -> None:
        self._rest: bool | None = None

    def __call__(self, finding: Diagnostic, documents: Mapping[str, Document], difference: str) -> bool:
        if self._rest is not None:
            return self._rest
        colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        print(render([finding], documents, "text", colour=colour, summary=False))
        print(difference)
        while True:
            print("Apply this fix? [y]es, [n]o, [a]ll, [q]uit: ", end="", flush=True)
            line = sys.stdin.readline()
            answer = line.strip().lower()[:1]
            if answer in ("y", "n") and line:
                return answer == "y"
            if answer in ("a", "q") or not line:  # the end of the input means to quit
                self._rest = answer == "a"
                return answer == "a"
