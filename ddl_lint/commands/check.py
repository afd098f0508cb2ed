"""`ddl-lint check`: checks files and folders, and shows what is found."""

from __future__ import annotations

import argparse
import atexit
import gc
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ddl_lint import timing
from ddl_lint.check.configuration import Resolver
from ddl_lint.check.report import Report
from ddl_lint.check.request import Request
from ddl_lint.check.selection import select_rules
from ddl_lint.check.service import Answer, answer
from ddl_lint.check.session import Session
from ddl_lint.commands.beginning import begin
from ddl_lint.commands.check_request import Input, checked_paths, find_input, request_for, resolver
from ddl_lint.commands.console import complain, say, write
from ddl_lint.commands.installed import installed_rules
from ddl_lint.commands.outcome import CLEAN, FAILURE, FINDINGS, INTERRUPTED
from ddl_lint.commands.outputs import Output, outputs_of
from ddl_lint.commands.shown_findings import is_on_screen, rendered
from ddl_lint.commands.terminal import shows_progress
from ddl_lint.crash import reason, show_tracebacks
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.escape import one_line
from ddl_lint.finding import Severity
from ddl_lint.jobs.file_names import kind_of
from ddl_lint.project.config import Settings
from ddl_lint.project.discover import Problem
from ddl_lint.registry.rules import Rule
from ddl_lint.storage import Storage, user_storage

if TYPE_CHECKING:
    pass


def run(options: argparse.Namespace) -> int:
    """Check, change files if that is wanted, and show what is left. Raises `UserError` for what the user can fix."""
    begin(checked_paths(options), options.cache_dir, notes=not (options.quiet or options.no_cache))
    show_tracebacks(options.verbose)
    atexit.register(gc.freeze)  # what is loaded lives as long as this process: collecting at the end finds nothing
    outputs = outputs_of(options.outputs)
    if options.shard:
        from ddl_lint.commands import shard

        return shard.run(options, outputs)
    if options.watch:
        from ddl_lint.commands import watch

        return watch.run(options, outputs)
    return check(options, outputs, user_storage(options.cache_dir))


def check(options: argparse.Namespace, outputs: Sequence[Output], storage: Storage, *, stored: bool = True) -> int:
    """The same, with what the storage holds; with `stored`, the report of an earlier check will do."""
    if not options.timing:
        return _check(options, outputs, storage, stored=stored)
    with timing.collect() as times:
        exit_code = _check(options, outputs, storage, stored=stored)
    from ddl_lint.output.timing import timing as timing_tables

    say(timing_tables(times))
    return exit_code


def _check(options: argparse.Namespace, outputs: Sequence[Output], storage: Storage, *, stored: bool) -> int:
    with timing.stage(timing.START):
        installed = installed_rules(storage)
    with timing.stage("discover"):
        settings_for = resolver(options, installed.known)
        found = find_input(options, settings_for)
    _tell_input(options, found, settings_for)
    session = Session(installed.known, None if options.no_cache else storage, keeps_pieces=False)
    request = replace(request_for(options, found, settings_for), stored=stored, stoppable=True)
    given = _answered(session, request, asks=options.ask)
    if not options.no_cache and not found.overlay:
        storage.tidy()
    if options.write_baseline or options.baseline:
        given = _beside_baseline(options, found, given, settings_for)
    exit_code = _show(options, outputs, found, given, settings_for)
    if given.report.is_interrupted:
        complain("interrupted: the check was not finished")
        return INTERRUPTED
    return FAILURE if installed.mistakes else exit_code  # something was not looked for


def _answered(session: Session, request: Request, *, asks: bool) -> Answer:
    """The answer, with a line that says what is done where that takes a while and a person waits."""
    if asks or not shows_progress(sys.stderr):
        return answer(session, request)
    from ddl_lint.commands.progress import checking

    with checking(len(request.paths)):
        return answer(session, request)


# --- what is said on the way ------------------------------------------------------------------------------------------


def _tell_input(options: argparse.Namespace, found: Input, settings_for: Resolver) -> None:
    """Tell what is going to be checked, and that it may not be what was meant."""
    if options.select:
        for settings in dict.fromkeys(map(settings_for, found.files)):
            if not _selects_any(settings_for.rules, settings):
                say("warning: the selection turns on no rule; rules in preview need --preview")
    if options.verbose:
        usable = sum(bool(rule.info.since) for rule in settings_for.rules)
        say(f"{usable} rules are installed, {len(found.files)} files are to be checked")
        for source in sorted({str(settings_for(file).source or "none") for file in found.files}):
            say(f"configuration: {source}")
    if not found.files and not found.problems and not options.quiet:
        say("warning: there are no Python files, notebooks or launch files to check")


def _selects_any(rules: Sequence[Rule], settings: Settings) -> bool:
    return any(not rule.info.is_engine for rule in select_rules(rules, settings))


def _tell_programs(report: Report, files: Sequence[Path]) -> None:
    """Tell what was followed from where, and what was not and why."""
    from ddl_lint.output.programs import lines

    for line in lines(report.programs, report.documents):
        say(line)
    programs = {file.as_posix() for file in files if kind_of(file.name, file.parent.name) is None}
    others = len(programs.difference(program.path for program in report.programs))
    if others:
        what = "file imports no framework, and starts" if others == 1 else "files import no framework, and start"
        say(f"{others} other {what} nothing")


def _tell_limits(report: Report, options: argparse.Namespace) -> None:
    """Tell, below the findings, what they do not speak of."""
    if options.quiet or not (report.unread or any(each.cut or each.hides_work for each in report.programs)):
        return
    from ddl_lint.commands.notes import not_read, partly_followed

    for line in not_read(report) if not options.force_exclude else ():  # a hook names all that has changed
        say(line)
    for line in partly_followed(report) if not options.verbose else ():
        say(line)


def _beside_baseline(options: argparse.Namespace, found: Input, given: Answer, settings_for: Resolver) -> Answer:
    """The answer once the baseline is written; or the same, with a note of what the baseline names without effect."""
    from ddl_lint.commands import old_findings

    if not given.report.is_whole:  # what was not found is not gone
        problem = Problem("", "the check did not come to its end, so the baseline was not written")
        return replace(given, problems=[*given.problems, problem]) if options.write_baseline else given
    is_judged = old_findings.judged(found.files, settings_for, settings_for.rules)
    if options.write_baseline:
        return replace(given, report=old_findings.write_baseline(options.write_baseline, given.report, is_judged))
    if not found.overlay and not options.quiet:
        report = given.report if given.changes is None or options.diff else given.changes.report
        old_findings.tell_stale(options.baseline, report, is_judged)
    return given


# --- what is shown ----------------------------------------------------------------------------------------------------


def _show(
    options: argparse.Namespace, outputs: Sequence[Output], found: Input, given: Answer, settings_for: Resolver
) -> int:
    """Show the answer; returns the exit code."""
    changes = given.changes
    report = given.report if changes is None or options.diff else changes.report
    if options.verbose:
        _tell_programs(report, found.files)
    problems = [*found.problems, *given.problems]
    for path, message in problems:
        complain(f"{one_line(path)}: {message}" if path else message)
    if changes is not None and (options.diff or found.overlay):
        from ddl_lint.commands import fix

        text, exit_code = fix.in_place_of_findings(
            changes, found.overlay, is_diff=options.diff, to_file=outputs[0].file is not None
        )
        write(text, outputs[0].file)
        return FAILURE if problems else exit_code
    is_shown = [show_as(output, report, options, settings_for.rules) for output in outputs]
    if changes is not None and not options.quiet:
        from ddl_lint.commands import fix

        on_screen = any(is_on_screen(output) for output in outputs)
        for line in fix.summary(given.report, changes):
            write(f"{line}\n") if on_screen else say(line)
    _tell_limits(given.report, options)
    if problems or not all(is_shown):
        return FAILURE
    failed = any(fails(finding, settings_for(Path(finding.location.path))) for finding in report.findings)
    return FINDINGS if failed and not options.exit_zero else CLEAN


def fails(finding: Diagnostic, settings: Settings) -> bool:
    """Whether the exit code says that there is this finding; of an info it never does."""
    if finding.severity is Severity.INFO:
        return False
    return finding.consequence in settings.fail_on or any(
        finding.severity.rank >= level.rank for level in Severity if level.value in settings.fail_on
    )


def show_as(output: Output, report: Report, options: argparse.Namespace, rules: Sequence[Rule]) -> bool:
    """Write one output; returns whether it could be made."""
    with timing.stage("output"):
        try:
            text = rendered(output, report, options, rules)
        except Exception as error:
            told = f"{reason(error)}; please report this"
            complain(f"the findings cannot be shown in the format `{output.format}`: {told}")
            for finding in report.findings:
                say(f"{finding.location.path}: {finding.code} {finding.message}")
            return False
        write(text, output.file)
    return True
