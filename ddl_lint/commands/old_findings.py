"""`--baseline`, `--write-baseline` and `--changed-since`: findings that are not asked about."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ddl_lint.check.report import Report
from ddl_lint.check.request import Narrow
from ddl_lint.check.selection import select_rules
from ddl_lint.commands.console import say, write
from ddl_lint.commands.outcome import UserError
from ddl_lint.commands.output_file import check_place
from ddl_lint.escape import one_line
from ddl_lint.output.counted import counted
from ddl_lint.project.config import ConfigError, Settings
from ddl_lint.registry.rules import Rule

if TYPE_CHECKING:
    from ddl_lint.check.baseline import Baseline, Entry

_MOST = 5  # stale entries that are named one by one
_HEARD_EACH_TIME = frozenset({"DDL001", "DDL002", "DDL003", "DDL004", "DDL005"})
"""What no baseline excuses: files that cannot be read, faults of ours, and comments that excuse nothing."""


def narrowing(options: argparse.Namespace) -> list[Narrow]:
    """What is to be left out of reports. Raises `UserError` where that is unknown, or options exclude others."""
    _refuse(options)
    found: list[Narrow] = []
    if options.baseline:
        found.append(loaded(options.baseline))
    if options.changed_since is not None:
        from ddl_lint.check.changed import ChangedSince
        from ddl_lint.project.revision import RevisionError

        try:
            found.append(ChangedSince(options.changed_since, _folder(options.paths)))
        except RevisionError as error:
            raise UserError(f"--changed-since: {error}") from None
    return found


def _folder(paths: Sequence[str]) -> Path:
    """A folder of what is checked."""
    path = Path(os.path.abspath(paths[0] if paths and paths[0] != "-" else "."))
    return path if path.is_dir() else path.parent


def _refuse(options: argparse.Namespace) -> None:
    if not options.write_baseline:
        return
    wrong = {
        "--baseline": options.baseline,
        "--changed-since": options.changed_since is not None,
        "--fix": options.fix,
        "--diff": options.diff,
        "--add-ignore": options.add_ignore,
        "--watch": options.watch,
        "stdin": options.stdin_filename or "-" in options.paths,
    }
    for option in (option for option, given in wrong.items() if given):
        raise UserError(f"--write-baseline names the findings of files as they are; leave out {option}")
    check_place(options.write_baseline)


def loaded(file: Path) -> Baseline:
    """The baseline of a file. Raises `UserError` where it cannot be used."""
    from ddl_lint.check.baseline import BaselineError, load

    try:
        return load(file)
    except BaselineError as error:
        raise UserError(f"{file}: {error}") from None


Judged = Callable[[Path, str], bool]


def judged(files: Sequence[Path], settings_for: Callable[[Path], Settings], rules: Sequence[Rule]) -> Judged:
    """Whether a check has looked for what a rule says of a file: it has if the file or the rule is no more."""
    checked = frozenset(files)
    codes = {rule.code for rule in rules}
    active: dict[Settings, frozenset[str]] = {}

    def is_judged(path: Path, rule: str) -> bool:
        if path not in checked:
            return not path.exists()
        try:
            settings = settings_for(path)
        except ConfigError:
            return False
        if settings not in active:
            active[settings] = frozenset(each.code for each in select_rules(rules, settings))
        return rule in active[settings] or rule not in codes

    return is_judged


def write_baseline(file: Path, report: Report, is_judged: Judged) -> Report:
    """Write what is found into a baseline; returns what is left of the report then. What the file says of files and
    rules that are not part of this check stays. Raises `UserError` where it cannot be written.
    """
    from ddl_lint.check.baseline import Baseline, entries

    before = loaded(file) if file.exists() else Baseline(Path.cwd() / file)
    found = entries(report, before.file, _HEARD_EACH_TIME)
    stale = before.stale({entry.fingerprint for entry in found}, is_judged)
    own = {entry.fingerprint: entry for entry in [*before.entries, *found]}
    for entry in stale:
        del own[entry.fingerprint]
    after = Baseline(before.file, list(own.values()))
    write(after.text(), file)
    new = len(own.keys() - {entry.fingerprint for entry in before.entries})
    say(f"{one_line(str(file))} names {counted(len(own), 'finding')}: {new} new, {len(stale)} removed")
    return after(report)


def tell_stale(file: Path, report: Report, is_judged: Judged) -> None:
    """Tell how many findings a baseline leaves out, and which of its entries are found no more."""
    if report.known:
        are = "is" if len(report.known) == 1 else "are"
        say(f"{counted(len(report.known), 'old finding')} {are} left out: see {one_line(str(file))}")
    stale = loaded(file).stale(report.known, is_judged)
    for line in _told(file, stale):
        say(line)


def _told(file: Path, stale: Sequence[Entry]) -> Iterator[str]:
    if not stale:
        return
    are = "entry is" if len(stale) == 1 else "entries are"
    yield f"{len(stale)} {are} no longer found; `--write-baseline {one_line(str(file))}` removes what is fixed:"
    for entry in sorted(stale)[:_MOST]:
        where = f" in `{entry.function}`" if entry.function else ""
        yield one_line(f"    {entry.file}: {entry.rule} {entry.name}{where}")
    if len(stale) > _MOST:
        yield f"    and {len(stale) - _MOST} more"
