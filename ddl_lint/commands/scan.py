"""`ddl-lint scan`: checks many repositories, and shows one report over all of them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ddl_lint import __version__
from ddl_lint.check.configuration import Configuration
from ddl_lint.check.report import Report
from ddl_lint.check.scan_workers import scan_here
from ddl_lint.check.scanning import Scan, Scanned, merged
from ddl_lint.checked_folders import checked, checked_around
from ddl_lint.commands import check
from ddl_lint.commands.beginning import begin
from ddl_lint.commands.check_request import resolver, usable_cores
from ddl_lint.commands.console import complain, say, write
from ddl_lint.commands.installed import installed_rules
from ddl_lint.commands.outcome import CLEAN, FAILURE, FINDINGS, UserError
from ddl_lint.commands.outputs import Output, outputs_of
from ddl_lint.commands.scan_baseline import beside_baseline, check_options
from ddl_lint.commands.scanned import rows_of
from ddl_lint.commands.shown_findings import rendered
from ddl_lint.escape import one_line
from ddl_lint.output.counted import counted
from ddl_lint.output.places import shown_name
from ddl_lint.output.scan import Repository, difference, page_of, sarif_of, with_rows
from ddl_lint.project.discover import Problem
from ddl_lint.project.links import link_out_of_project
from ddl_lint.registry.rules import Rule
from ddl_lint.search_path import leave_projects_out
from ddl_lint.source import SourceError, read_text
from ddl_lint.storage import user_storage


def run(options: argparse.Namespace) -> int:
    """Check the repositories of a list that are not yet, and show what is found. Raises `UserError` for misuse."""
    if options.watch:
        raise UserError("--watch checks one project again and again; leave it out")
    if options.timing:
        raise UserError("--timing shows where the time of one check goes; leave it out")
    check_options(options)
    outputs = outputs_of(options.outputs)
    folders, unusable = _listed(options.repositories)
    begin(folders, options.cache_dir, notes=not (options.quiet or options.no_cache))
    storage = user_storage(options.cache_dir)
    installed = installed_rules(storage)
    settings_for = resolver(options, installed.known)
    leave_projects_out([folder.as_posix() for folder in folders])
    cache = storage.folder if not options.no_cache else None
    scan = _scan(settings_for.configuration, Path(os.path.abspath(options.results)), cache)
    known = {folder: found for folder in folders if (found := scan.known(folder, installed.known)) is not None}
    waiting = [folder for folder in folders if folder not in known]
    if not options.quiet:
        repositories = counted(len(folders), "repository", "repositories")
        say(f"{repositories}: {len(known)} done before, {len(waiting)} to check")
    for number, (folder, data) in enumerate(_done(options, scan, waiting), start=1):
        if data is None:
            problem = (folder.as_posix(), "left out: the process that checks it has ended twice")
            known[folder] = Scanned(folder.as_posix(), "", problems=(problem,))
        else:
            known[folder] = scan.keep(data, folder)
        if options.verbose:
            say(one_line(f"{number} of {len(waiting)}: {folder}: {len(known[folder].findings)} findings"))
    scanned = beside_baseline(options, [known[folder] for folder in folders], settings_for)
    report = merged(scanned, shown_name)
    report.problems += unusable
    for path, message in report.problems:
        complain(f"{one_line(path)}: {message}" if path else message)
    shown = rows_of(scan, scanned, is_narrowed=bool(options.baseline or options.write_baseline))
    if not options.quiet and (line := difference(shown)):
        say(line)
    left_out = [f"{one_line(path)}: {message}" for path, message in unusable]
    is_shown = [_show(output, report, shown, left_out, options, settings_for.rules) for output in outputs]
    if report.problems or installed.mistakes or not all(is_shown):
        return FAILURE
    failed = any(check.fails(each, settings_for(Path(each.location.path))) for each in report.findings)
    return FINDINGS if failed and not options.exit_zero else CLEAN


def _show(
    output: Output,
    report: Report,
    shown: Sequence[Repository],
    left_out: Sequence[str],
    options: argparse.Namespace,
    rules: Sequence[Rule],
) -> bool:
    """Write one output; those with a row for each repository are made here."""
    if output.format == "html":
        write(page_of(shown, f"ddl-lint {__version__}, {options.repositories.name}", left_out), output.file)
    elif output.format == "sarif":
        write(sarif_of(shown, rules), output.file)
    elif output.format == "json":
        write(with_rows(rendered(output, report, options, rules), shown), output.file)
    else:
        return check.show_as(output, report, options, rules)
    return True


def _scan(configuration: Configuration, results: Path, cache: Path | None) -> Scan:
    """The scan, which keeps no results where they could not be believed, and says so."""
    link, around = link_out_of_project(results), checked_around(results)
    scan = Scan(configuration, results if link is None and around is None else None, cache, checked())
    if not scan.keeps_results():
        why = "it cannot be written to, or others can write to it, too"
        if link is not None:
            why = f"the link {link[0]} leads out of the project, to {link[1]}"
        elif around is not None:
            why = f"it lies in {around}, which is scanned itself"
        complain(one_line(f"{results}: no results are kept: {why}; --results names another folder"))
        return replace(scan, results=None)
    return scan


def _done(options: argparse.Namespace, scan: Scan, waiting: Sequence[Path]) -> Iterator[tuple[Path, bytes | None]]:
    jobs = options.jobs or usable_cores()
    if not options.ray or not waiting:
        yield from scan_here(scan, waiting, jobs)
        return
    from ddl_lint.check.scan_ray import scan_on_ray

    try:
        yield from scan_on_ray(scan, waiting, options.ray, jobs)
    except ImportError:
        raise UserError("--ray needs the package ray: pip install 'ray[data]'") from None
    except ConnectionError as error:
        raise UserError(f"--ray {options.ray}: {one_line(str(error))}") from None


def _listed(file: Path) -> tuple[Sequence[Path], Sequence[Problem]]:
    """The folders that a list names, a line each, relative to its own, and the lines that name none; `#` begins a
    comment. One that cannot be used costs itself.
    """
    try:
        lines = read_text(file.as_posix()).splitlines()
    except SourceError as error:
        raise UserError(f"{file} {error.message}") from None
    folders: list[Path] = []
    unusable: list[Problem] = []
    for number, line in enumerate(lines, start=1):
        name = line.partition("#")[0].strip()
        if not name:
            continue
        folder = Path(os.path.abspath(file.parent / name))
        if folder.is_dir():
            folders.append(folder)
            continue
        hint = "; clone it first" if "://" in name or name.startswith("git@") else ""
        unusable.append(Problem(f"{file}:{number}", f"`{one_line(name)}` is not a folder{hint}"))
    if not folders:
        told = f"{unusable[0].path}: {unusable[0].message}" if unusable else f"{file} names no folder"
        raise UserError(told)
    return list(dict.fromkeys(folders)), unusable
