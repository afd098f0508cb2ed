"""The rows of a scan: what was found in each repository, who owns it, and what has changed since the scan before."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from ddl_lint import __version__
from ddl_lint.check.scan_history import FILE, Difference, Seen, remember
from ddl_lint.check.scanning import Scan, Scanned
from ddl_lint.commands.console import complain
from ddl_lint.escape import one_line
from ddl_lint.output.fingerprints import fingerprints
from ddl_lint.output.places import place_of
from ddl_lint.output.scan import Fixed, Repository
from ddl_lint.project.git_remote import repository_page
from ddl_lint.project.owners import owners_of
from ddl_lint.storage import description, digest


def rows_of(scan: Scan, scanned: Sequence[Scanned], *, is_narrowed: bool = False) -> list[Repository]:
    """A row for each repository. One that could not be checked whole is not compared, nor remembered.

    What is left beside a baseline (`is_narrowed`) is compared with what was left before.
    """
    rows = [_row(each) for each in scanned]
    whole = [row for row in rows if not row.problems]
    if scan.results is None or not whole:
        return rows
    seen = {row.folder: _seen(row) for row in whole}
    asked = digest(description(scan.configuration), *(["beside a baseline"] if is_narrowed else []))
    at = datetime.now(timezone.utc).isoformat(timespec="seconds")
    try:
        changed = remember(scan.results, asked, at, __version__, seen)
    except sqlite3.Error as error:
        complain(one_line(f"{scan.results / FILE}: nothing is compared with the last scan: {error}"))
        return rows
    by_folder = dict(zip(seen, changed, strict=True))
    return [_changed(row, by_folder.get(row.folder, Difference())) for row in rows]


def _row(scanned: Scanned) -> Repository:
    root = Path(scanned.folder)
    documents = {document.path: document for document in scanned.documents}
    findings = sorted(scanned.findings, key=lambda each: place_of(each.location, documents).order)
    owners, page = owners_of(root), repository_page(root / "x")
    return Repository(
        scanned.folder,
        scanned.files,
        findings,
        documents,
        [each.value for each in fingerprints(findings, documents, scanned.folder)],
        [owners.of(Path(each.location.path)) for each in findings],
        [f"{path}: {message}" if path else message for path, message in scanned.problems],
        address=page.address if page else "",
        revision=page.revision if page else "",
    )


def _seen(row: Repository) -> list[Seen]:
    found: list[Seen] = []
    for finding, fingerprint, owners in zip(row.findings, row.fingerprints, row.owners, strict=True):
        place = place_of(finding.location, row.documents)
        rule = (finding.code, finding.name, finding.consequence, finding.severity.value)
        found.append(Seen(fingerprint, *rule, place.file, place.line, finding.message, tuple(owners)))
    return found


def _changed(row: Repository, changed: Difference) -> Repository:
    fixed = [Fixed(each.consequence, each.rule, each.file, each.message) for each in changed.fixed]
    return row.compared(changed.new, fixed, is_first=changed.is_first)
