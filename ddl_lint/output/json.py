"""Findings for programs: the JSON contract."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.escape import harmless_json
from ddl_lint.finding import Fix, JobOfFinding
from ddl_lint.output import programs
from ddl_lint.output.fingerprints import Fingerprint
from ddl_lint.output.places import Place, place_of
from ddl_lint.output.shown import Shown
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location

VERSION = 1
"""Raised when a field changes its meaning or goes away; new fields may come at any time."""


def render(shown: Shown) -> str:
    """`{"version": 1, "diagnostics": [...], "programs": [...]}`, with `"statistics"` if counts are asked for."""
    content: dict[str, Any] = {
        "version": VERSION,
        "diagnostics": diagnostics(shown),
        "programs": programs.fields(shown.programs, shown.documents),
    }
    if shown.counts:
        from ddl_lint.output import statistics

        content["statistics"] = statistics.fields(shown.findings)
    return harmless_json(json.dumps(content, indent=2)) + "\n"


def diagnostics(shown: Shown) -> list[dict[str, Any]]:
    """The findings as plain data."""
    return [
        _diagnostic(finding, fingerprint, shown.documents)
        for finding, fingerprint in zip(shown.findings, shown.fingerprints, strict=True)
    ]


def _diagnostic(finding: Diagnostic, fingerprint: Fingerprint, documents: Mapping[str, Document]) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "consequence": finding.consequence or None,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "doubt": finding.doubt or None,
        **place_fields(finding.location, documents),
        "ranks": finding.ranks or None,
        "related": [
            {"message": evidence.message, **place_fields(evidence.location, documents), "ranks": evidence.ranks or None}
            for evidence in finding.evidence
        ],
        "met_in": finding.met_in or None,
        "jobs": [job_fields(job, documents) for job in finding.jobs],
        "symptom": finding.symptom or None,
        "fix_pattern": finding.fix_pattern or None,
        "help": finding.help or None,
        "fix": _fix(finding.fix, documents) if finding.fix else None,
        "fingerprint": fingerprint.value,
    }


def job_fields(job: JobOfFinding, documents: Mapping[str, Document]) -> dict[str, Any]:
    """A job: where it is launched, its size, and whether it meets the finding."""
    place = place_of(job.place, documents)
    cell = {"cell": place.cell} if place.cell is not None else {}
    size = {"world_size": job.world_size, "nodes": job.nodes}
    return {"file": place.file, "line": place.line, **cell, **size, "is_met": job.is_met}


def _fix(fix: Fix, documents: Mapping[str, Document]) -> dict[str, Any]:
    return {
        "title": fix.title,
        "applicability": fix.applicability.value,
        "reason": fix.reason or None,
        "edits": [{**place_fields(edit.location, documents), "text": edit.text} for edit in fix.edits],
    }


def place_fields(location: Location, documents: Mapping[str, Document]) -> dict[str, Any]:
    """Where it is: in a notebook, lines are counted from the start of the cell, and cells from 1."""
    place = place_of(location, documents)
    where: dict[str, Any] = {"file": place.file, "range": _range(place)}
    if place.cell is not None:
        where["cell"] = place.cell
    return where


def _range(place: Place) -> dict[str, dict[str, int]]:
    return {
        "start": {"line": place.line, "column": place.column},
        "end": {"line": place.end_line, "column": place.end_column},
    }
