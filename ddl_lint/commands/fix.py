"""`check --fix`, `--diff`, `--ask` and `--add-ignore`: how they talk to people."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ddl_lint.check.changes import Changes, Leftover
from ddl_lint.check.report import Report
from ddl_lint.commands.console import write
from ddl_lint.commands.terminal import has_colour, is_looked_at
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.escape import several_lines
from ddl_lint.fixes.diff import painted
from ddl_lint.output import render
from ddl_lint.output.counted import counted
from ddl_lint.output.places import shown_name
from ddl_lint.source import Document


def in_place_of_findings(
    changes: Changes, overlay: Mapping[str, str], *, is_diff: bool, to_file: bool
) -> tuple[str, int]:
    """What is printed where the files themselves are not written, and the exit code.

    That is a diff, or the text from stdin (`overlay`) with its changes: exact in a file or for another program, and
    such that it acts on nothing where it is only looked at.
    """
    colour = not to_file and has_colour(sys.stdout)
    is_exact = to_file or not (colour or is_looked_at(sys.stdout))
    if is_diff:
        difference = changes.diff()
        return difference if is_exact else painted(difference, colour=colour), int(bool(difference))
    text = next(iter({**overlay, **changes.texts}.values()))
    if not is_exact:
        text = several_lines(text)
    # Comments that were put in are what was asked for; what cannot be fixed is not.
    return text, int(changes.left is not None and bool(changes.report.findings))


# --- the summary ------------------------------------------------------------------------------------------------------


def summary(before: Report, changes: Changes) -> Iterator[str]:
    """Lines about what has become of the files, below the findings."""
    if changes.left is not None:
        yield from _fixed(changes)
        yield from _left(changes.left)
        return
    silenced = len(before.findings) - len(changes.report.findings)
    where = counted(len(changes.texts), "file")
    yield f"Silenced {counted(silenced, 'finding')} in {where}." if silenced else "Nothing to silence."


def _fixed(changes: Changes) -> Iterator[str]:
    if not changes.fixed:
        yield "Fixed nothing."
        return
    yield f"Fixed {counted(len(changes.fixed), 'finding')} in {counted(len(changes.texts), 'file')}:"
    by_path: dict[str, Counter[str]] = {}
    for finding in changes.fixed:
        by_path.setdefault(finding.location.path, Counter())[finding.name] += 1
    for path, counts in sorted(by_path.items()):
        listed = ", ".join(f"{count} x {name}" for name, count in sorted(counts.items()))
        yield f"    {shown_name(path)}: {listed}"
    others = sorted(set(changes.texts) - set(by_path))
    if others:
        yield f"    and for these fixes: {', '.join(map(shown_name, others))}"


def _left(left: Leftover) -> Iterator[str]:
    if left.unsafe:
        yield f"{counted(len(left.unsafe), 'finding')} more can be fixed with --unsafe-fixes: {_names(left.unsafe)}."
    if left.elsewhere:
        paths = sorted(
            {
                shown_name(edit.location.path)
                for finding in left.elsewhere
                for edit in (finding.fix.edits if finding.fix else ())
            }
        )
        yield (
            f"{counted(len(left.elsewhere), 'finding')} can be fixed when these files are checked together: "
            f"{', '.join(paths)}."
        )
    if left.declined:
        yield f"{counted(len(left.declined), 'fix', 'fixes')} declined: {_names(left.declined)}."
    if left.without:
        yield f"{counted(len(left.without), 'finding')} without a fix: {_names(left.without)}."


def _names(findings: Iterable[Diagnostic]) -> str:
    return ", ".join(sorted({finding.name for finding in findings}))


# --- asking -----------------------------------------------------------------------------------------------------------


class Asking:
    """Shows each fix and asks: yes, no, all that come, or quit."""

    def __init__(self) -> None:
        self._rest: bool | None = None

    def __call__(self, finding: Diagnostic, documents: Mapping[str, Document], difference: str) -> bool:
        if self._rest is not None:
            return self._rest
        write(render([finding], documents, "text", colour=has_colour(sys.stdout), summary=False) + "\n")
        write(painted(difference, colour=has_colour(sys.stdout)) + "\n")
        while True:
            write("Apply this fix? [y]es, [n]o, [a]ll, [q]uit: ")
            try:
                line = sys.stdin.readline()
            except OSError:  # it is closed
                line = ""
            answer = line.strip().lower()[:1]
            if answer in ("y", "n") and line:
                return answer == "y"
            if answer in ("a", "q") or not line:  # the end of the input means to quit
                self._rest = answer == "a"
                return answer == "a"
