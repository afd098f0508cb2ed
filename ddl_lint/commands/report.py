"""`ddl-lint report`: a page about a whole check for those who did not run it."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path

from ddl_lint import __version__
from ddl_lint.check.configuration import Resolver
from ddl_lint.check.job_table import job_rows
from ddl_lint.check.project_traces import project_traces
from ddl_lint.check.rank_findings import shows_ranks
from ddl_lint.check.report import Report
from ddl_lint.check.request import Request
from ddl_lint.check.session import Session
from ddl_lint.commands.beginning import begin
from ddl_lint.commands.check_request import checked_paths, find_input, resolver, usable_cores
from ddl_lint.commands.console import say, write
from ddl_lint.commands.installed import installed_rules
from ddl_lint.commands.outcome import CLEAN, FAILURE, UserError
from ddl_lint.commands.progress import checking
from ddl_lint.output.counted import counted
from ddl_lint.output.overview import Subject, render
from ddl_lint.output.trace import Links, is_web_address
from ddl_lint.project.discover import Problem
from ddl_lint.project.git_remote import checked_out, repository_page
from ddl_lint.project.owners import Owners, owners_of
from ddl_lint.project.project_context import marked_root
from ddl_lint.registry.rules import Installed
from ddl_lint.storage import Storage, user_storage

_MOST_NAMED = 3  # paths in the title
_TO_STDOUT = "-"


def run(options: argparse.Namespace) -> int:
    """Write the page. What was found does not decide the exit code: the page says it."""
    begin(checked_paths(options), options.cache_dir, notes=not options.no_cache)
    storage = user_storage(options.cache_dir)
    installed = installed_rules(storage)
    settings_for = resolver(options, installed.known)
    found = find_input(options, settings_for)
    job, unread = _job(options, installed, storage) if options.logs else ("", [])
    session = Session(installed.known, None if options.no_cache else storage, keeps_pieces=False)
    with checking(len(found.files)):
        request = Request(
            found.files,
            settings_for.configuration,
            named=found.named,
            jobs=options.jobs or usable_cores(),
            stored=True,
        )
        report = session.check(request)
        problems = [*found.problems, *report.problems, *unread]
        subject = _subject(options, report, problems, found.files, settings_for, job)
    to_file = str(options.output_file) != _TO_STDOUT
    write(render(subject), options.output_file if to_file else None)
    if to_file:
        findings, files = counted(len(report.findings), "finding"), counted(report.files, "file")
        say(f"{options.output_file}: {findings} in {files}")
    return FAILURE if problems or installed.mistakes else CLEAN


def _subject(
    options: argparse.Namespace,
    report: Report,
    problems: Sequence[Problem],
    files: Sequence[Path],
    settings_for: Resolver,
    job: str,
) -> Subject:
    of_ranks = {rule.code for rule in settings_for.rules if shows_ranks(rule)}
    about_ranks = [finding for finding in report.findings if finding.code in of_ranks]
    shown = project_traces(report.programs, about_ranks, report.documents, settings_for, settings_for.rules)
    launches, _ = job_rows(files)
    links, revision = _links(options.link_base, files)
    return Subject(
        name=_name(options.paths),
        version=__version__,
        findings=report.findings,
        documents={**shown.documents, **report.documents},
        files=report.files,
        programs=report.programs,
        launches=launches,
        traces=shown.traces,
        without_trace=shown.left_out,
        unread=report.unread,
        problems=[(problem.path, problem.message) for problem in problems],
        job=job,
        links=links,
        revision=revision,
        command=shlex.join(["ddl-lint", *options.words]),
        day=_day(),
        owners=_owners(report),
    )


def _day() -> str:
    """Today, or the day that a reproducible build asks for."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(epoch), timezone.utc) if epoch.isdecimal() else datetime.now(timezone.utc)
    return now.date().isoformat()


def _owners(report: Report) -> Mapping[str, Sequence[str]]:
    """Who owns the files of findings, as the repository around each says."""
    known: dict[Path, Owners] = {}
    found: dict[str, Sequence[str]] = {}
    for path in {finding.location.path for finding in report.findings}:
        file = Path(os.path.abspath(path))
        root = next((folder for folder in file.parents if (folder / ".git").exists()), None)
        if root is not None and (owners := known.setdefault(root, owners_of(root)).of(file)):
            found[path] = owners
    return found


def _job(options: argparse.Namespace, installed: Installed, storage: Storage) -> tuple[str, list[Problem]]:
    """What became of a job by its logs, for the page, and what of them could not be read. The page may be handed on, so
    nothing secret of a log is in it.
    """
    from ddl_lint.commands.diagnose import read_logs  # most reports are asked for before anything has failed
    from ddl_lint.diagnose import answer, read_code
    from ddl_lint.diagnose.shown import Look
    from ddl_lint.diagnose.shown.html import section

    log = read_logs(list(dict.fromkeys(options.logs)))
    folder = Path(os.path.commonpath([os.path.abspath(path) for path in options.paths or ["."]]))
    found = answer(log, lambda: read_code(folder, installed, storage, jobs=options.jobs or usable_cores()), installed)
    return section(found, Look(redact=True)), [Problem("", each) for each in log.problems]


def _name(paths: Sequence[str]) -> str:
    """What was checked, as a title: the folder by its name, wherever the command was called."""
    names = [Path(os.path.abspath(path)).name or path for path in paths or ["."]]
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _links(base: str | None, files: Sequence[Path]) -> tuple[Links | None, str]:
    """Where places lead to, by default to the repository around, and the commit that is checked out."""
    if not files:
        return None, ""
    revision = checked_out(files[0])
    if base is None:
        page = repository_page(files[0])
        return (Links(page.base, page.root.as_posix()) if page is not None else None), revision
    if not is_web_address(base):
        raise UserError(f"--link-base {base}: is no http or https address")
    root = marked_root(files[0].parent) or Path.cwd()
    return Links(base, root.as_posix()), revision
