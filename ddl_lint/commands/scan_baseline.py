"""`--baseline` and `--write-baseline` of a scan: one file for all repositories, with paths relative to its folder."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ddl_lint.check.baseline import Baseline
from ddl_lint.check.configuration import Resolver
from ddl_lint.check.report import Report
from ddl_lint.check.scanning import Scanned
from ddl_lint.commands.old_findings import judged, loaded, tell_stale, write_baseline
from ddl_lint.commands.outcome import UserError
from ddl_lint.commands.output_file import check_place


def check_options(options: argparse.Namespace) -> None:
    """Raise `UserError` for options that exclude each other, and for a baseline that cannot be used."""
    if options.write_baseline and options.baseline:
        raise UserError("--write-baseline records all findings; leave out --baseline")
    if options.write_baseline:
        check_place(options.write_baseline)
    if options.baseline:
        loaded(options.baseline)


def beside_baseline(options: argparse.Namespace, scanned: Sequence[Scanned], settings_for: Resolver) -> list[Scanned]:
    """What is left of each repository beside the baseline, which is written first if it is to be."""
    file: Path | None = options.write_baseline or options.baseline
    if file is None:
        return [*scanned]
    whole = [each for each in scanned if not each.problems]
    if options.write_baseline:
        before = loaded(file) if file.exists() else Baseline(Path.cwd() / file)
        write_baseline(file, _report(whole), judged(_files(before, whole), settings_for, settings_for.rules))
    known = loaded(file)
    left = [_without(each, known) for each in scanned]
    if options.baseline and not options.quiet:
        found = frozenset(fingerprint for _, fingerprints in left for fingerprint in fingerprints)
        report = replace(_report(()), known=found)
        tell_stale(file, report, judged(_files(known, whole), settings_for, settings_for.rules))
    return [each for each, _ in left]


def _without(scanned: Scanned, known: Baseline) -> tuple[Scanned, frozenset[str]]:
    """A repository without what the baseline names, and the fingerprints of that."""
    report = known(_report([scanned]))
    return replace(scanned, findings=tuple(report.findings)), report.known


def _report(scanned: Sequence[Scanned]) -> Report:
    findings = [finding for each in scanned for finding in each.findings]
    documents = {document.path: document for each in scanned for document in each.documents}
    return Report(findings, documents, [], 0)


def _files(baseline: Baseline, scanned: Sequence[Scanned]) -> list[Path]:
    """The files of the baseline that the scan has looked at: those of repositories that were checked whole."""
    files = {baseline.path(entry) for entry in baseline.entries}
    folders = [Path(each.folder) for each in scanned]
    return [file for file in files if file.exists() and any(file.is_relative_to(folder) for folder in folders)]
