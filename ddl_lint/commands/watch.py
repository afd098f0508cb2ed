"""`ddl-lint check --watch`: checks again whenever something that the check has read changes, until Ctrl-C."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ddl_lint import ending
from ddl_lint.check.report import Report
from ddl_lint.check.request import Request
from ddl_lint.check.session import Session, tidy_up
from ddl_lint.commands.check_request import find_input, request_for, resolver
from ddl_lint.commands.console import complain, say, write
from ddl_lint.commands.installed import installed_rules
from ddl_lint.commands.notes import not_read, partly_followed
from ddl_lint.commands.outcome import UserError
from ddl_lint.commands.outputs import Output, outputs_of
from ddl_lint.commands.progress import checking
from ddl_lint.commands.shown_findings import rendered
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.escape import one_line
from ddl_lint.output import FORMATS
from ddl_lint.output.places import place_of, shown_name
from ddl_lint.output.text import summary
from ddl_lint.project import config
from ddl_lint.project.config import Settings
from ddl_lint.project.discover import Problem
from ddl_lint.project.project_context import projects
from ddl_lint.registry.rules import Rule
from ddl_lint.storage import user_storage

_PATIENCE = 500
"""Milliseconds between looks at whether somebody wants it to end."""

Changes = Callable[[Sequence[Path]], Iterator[Sequence[str]]]
"""Watches files and folders: yields nothing once it does, then the paths that have changed, from time to time."""


def run(options: argparse.Namespace, outputs: Sequence[Output]) -> int:
    """Check until somebody interrupts. Raises `UserError` for options that do not go with it."""
    _refuse(options, outputs)
    watching = _watching()
    ending.be_interruptible()
    storage = user_storage(options.cache_dir)
    rules = installed_rules(storage).known
    watch(options, Session(rules, None if options.no_cache else storage), watching)
    return 0


def _refuse(options: argparse.Namespace, outputs: Sequence[Output]) -> None:
    wrong = {
        "--fix": options.fix,
        "--diff": options.diff,
        "--ask": options.ask,
        "--add-ignore": options.add_ignore,
        "--output-file": any(each.file for each in outputs),
        "--timing": options.timing,
        "--statistics": options.statistics,
        "--stdin-filename": options.stdin_filename or "-" in options.paths,
        **{f"--output-format {each.format}": not FORMATS[each.format].is_for_people for each in outputs},
        "all but one --output-format": len(outputs) > 1,
    }
    for option in (option for option, given in wrong.items() if given):
        raise UserError(f"--watch shows findings on a terminal; leave out {option}")


def _watching() -> Changes:
    try:
        import watchfiles
    except ImportError:
        raise UserError("--watch needs the package watchfiles: pip install watchfiles") from None

    def watching(paths: Sequence[Path]) -> Iterator[Sequence[str]]:
        # The first timeout says that changes are noticed from now on.
        for changes in watchfiles.watch(
            *paths, yield_on_timeout=True, rust_timeout=_PATIENCE, ignore_permission_denied=True
        ):
            yield [path for _, path in changes]

    return watching


# --- the loop ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Asked:
    """What is to be checked, as it is at the moment."""

    request: Request
    rules: Sequence[Rule]
    settings: Sequence[Settings | None]
    """Of each file; None for what cannot be used."""

    problems: Sequence[Problem]


@dataclass(frozen=True)
class _State:
    """A check, and what it has found."""

    asked: _Asked
    report: Report

    def files(self) -> set[str]:
        """The paths of all files that have a say in what is found."""
        sources = [each.source for each in self.asked.settings if each is not None and each.source is not None]
        read = self.report.inputs.read if self.report.inputs is not None else ()
        return {*read, *map(str, self.asked.request.paths), *map(str, sources)}

    def is_still_true(self, asked: _Asked, is_changed: bool) -> bool:
        """Whether the same check would find the same; `is_changed` tells of files that it may have read."""
        if (asked.request.paths, asked.settings, asked.problems) != (
            self.asked.request.paths,
            self.asked.settings,
            self.asked.problems,
        ):
            return False
        inputs = self.report.inputs
        return not is_changed if inputs is None else inputs.refreshed() is not None


def watch(options: argparse.Namespace, session: Session, changes: Changes) -> None:
    """Show what is found, then what has changed of it, whenever a file changes that the check has read.

    Raises:
        UserError: what is asked for cannot be checked.
        KeyboardInterrupt: somebody wants it to end.
    """
    try:
        asked = _asked(options, session.rules)
        state = _checked(session, asked)
        _show_all(options, state)
        while True:
            watched = _watched(options, state)
            is_first = True
            for changed in changes(watched):
                if changed or is_first:
                    is_first = False
                    state = _renewed(options, session, state, changed)
                    if _watched(options, state) != watched:
                        break
    except KeyboardInterrupt:
        raise KeyboardInterrupt("\nstopped watching") from None


def _renewed(options: argparse.Namespace, session: Session, state: _State, changed: Sequence[str]) -> _State:
    """The state after a change, which is shown if it is another one."""
    config.forget()
    try:
        asked = _asked(options, session.rules)
    except UserError as error:  # of a file that somebody is at work on
        complain(str(error))
        return state
    if broken := [problem for problem in asked.problems if problem not in state.asked.problems]:
        _complain(broken)
        return replace(state, asked=asked)  # the findings stay until the files can be checked again
    if state.is_still_true(asked, bool(changed)):
        return state
    now = _checked(session, asked)
    _show_change(options, state, now, changed)
    return now


def _asked(options: argparse.Namespace, rules: Sequence[Rule]) -> _Asked:
    settings_for = resolver(options, rules)
    found = find_input(options, settings_for)
    settings: list[Settings | None] = []
    problems = [*found.problems]
    for file in found.files:
        try:
            settings.append(settings_for(file))
        except config.ConfigError as error:
            settings.append(None)
            problems.append(Problem("", str(error)))
    request = replace(request_for(options, found, settings_for), stored=False)
    return _Asked(request, rules, settings, list(dict.fromkeys(problems)))


def _checked(session: Session, asked: _Asked) -> _State:
    with checking(len(asked.request.paths)):
        report = session.check(asked.request)
        tidy_up()
    return _State(asked, report)


def _watched(options: argparse.Namespace, state: _State) -> list[Path]:
    """The folders and files in which something may change that the check reads, none inside of another."""
    given = [Path(path).absolute() for path in options.paths or ["."]]
    wanted = {*given, *projects(state.asked.request.paths), *map(Path, state.files())}
    there = sorted(path for path in wanted if path.exists())
    return [path for path in there if not any(other in path.parents for other in there)]


# --- what is shown ----------------------------------------------------------------------------------------------------


def _show_all(options: argparse.Namespace, state: _State) -> None:
    _complain(dict.fromkeys([*state.asked.problems, *state.report.problems]))
    write(rendered(_output(options), state.report, options, state.asked.rules))
    if not options.quiet:
        for line in (*not_read(state.report), *partly_followed(state.report)):
            say(line)
        say("watching for changes; Ctrl-C ends it")


def _show_change(options: argparse.Namespace, before: _State, now: _State, changed: Sequence[str]) -> None:
    """Show which findings are new and which are gone."""
    known = {*before.asked.problems, *before.report.problems}
    _complain(problem for problem in now.report.problems if problem not in known)
    new, gone = _beyond(now.report, before.report), _beyond(before.report, now.report)
    lines = ["", f"{_names(before, now, changed)} changed" + ("" if new or gone else ": the same findings")]
    if new:
        shown = replace(now.report, findings=new)
        lines.append(rendered(_output(options), shown, options, now.asked.rules, summary=False).rstrip("\n"))
    for finding in gone:
        place = place_of(finding.location, before.report.documents)
        lines.append(f"gone: {place.head}: {finding.code} {finding.name}")
    lines.append(summary(now.report.findings, now.report.files))
    write("".join(f"{line}\n" for line in lines))


def _output(options: argparse.Namespace) -> Output:
    return outputs_of(options.outputs)[0]


def _complain(problems: Iterable[Problem]) -> None:
    for path, message in problems:
        complain(f"{one_line(path)}: {message}" if path else message)


def _beyond(report: Report, other: Report) -> list[Diagnostic]:
    """The findings of a report that another one does not have; one whose line has only moved is the same."""
    counts = Counter(_identity(finding, other) for finding in other.findings)
    found: list[Diagnostic] = []
    for finding in report.findings:
        key = _identity(finding, report)
        counts[key] -= 1
        if counts[key] < 0:
            found.append(finding)
    return found


def _identity(finding: Diagnostic, report: Report) -> tuple[str, str, str]:
    place = place_of(finding.location, report.documents)
    text = place.line_text(place.line).strip() if place.line_text is not None else ""
    return finding.location.path, finding.code, text


def _names(before: _State, now: _State, changed: Sequence[str]) -> str:
    """The files that have changed, as far as they have to do with the check."""
    known = before.files() | now.files()
    paths = sorted(path for path in changed if path in known or Path(path).name in config.CONFIG_FILES)
    names = [shown_name(Path(path).as_posix()) for path in paths]
    if not names:
        return "something"
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
