"""Findings for programs: the JSON contract."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Fix
from ddl_lint.output import programs
from ddl_lint.output.places import Place, place_of
from ddl_lint.program.followed import Coverage
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location

VERSION = 1
"""Raised when a field changes its meaning or goes away; new fields may come at any time."""


def render(
    findings: Sequence[Diagnostic],
    documents: Mapping[str, Document],
    followed: Sequence[Coverage] = (),
    *,
    counts: bool = False,
) -> str:
    """`{"version": 1, "diagnostics": [...], "programs": [...]}`, with `"statistics"` if counts are asked for."""
    content: dict[str, Any] = {
        "version": VERSION,
        "diagnostics": [_diagnostic(finding, documents) for finding in findings],
        "programs": programs.fields(followed, documents),
    }
    if counts:
        from ddl_lint.output import statistics

        content["statistics"] = statistics.fields(findings)
    return json.dumps(content, indent=2) + "\n"


def _diagnostic(finding: Diagnostic, documents: Mapping[str, Document]) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "doubt": finding.doubt or None,
        **place_fields(finding.location, documents),
        "related": [
            {"message": evidence.message, **place_fields(evidence.location, documents)} for evidence in finding.evidence
        ],
        "symptom": finding.symptom or None,
        "fix_pattern": finding.fix_pattern or None,
        "fix": _fix(finding.fix, documents) if finding.fix else None,
    }


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
