"""An answer for programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ddl_lint.diagnose.answer import Answer
from ddl_lint.diagnose.candidates import Candidate
from ddl_lint.diagnose.shown import parts
from ddl_lint.diagnose.shown.look import Look
from ddl_lint.diagnose.shown.redaction import cleaner
from ddl_lint.escape import harmless_json
from ddl_lint.finding import Evidence
from ddl_lint.output.json import place_fields
from ddl_lint.output.places import shown_path

VERSION = 1
"""Raised when a field changes its meaning or goes away; new fields may come at any time."""


def render(answer: Answer, look: Look) -> str:
    """`{"version": 1, "kind": ..., "sentence": ..., "candidates": [...], ...}`."""
    content = fields(answer, cleaner(look.redact))
    return harmless_json(json.dumps(content, indent=2)) + "\n"


def fields(answer: Answer, clean: Callable[[str], str]) -> dict[str, Any]:
    """An answer as plain data."""
    return {
        "version": VERSION,
        "kind": answer.kind,
        "sentence": clean(answer.sentence),
        "blame": answer.blame,
        "certainty": answer.certainty,
        "job": clean(answer.job) or None,
        "because": [clean(each) for each in answer.because],
        "ranks": [
            {"ranks": list(each.ranks), "text": clean(each.text), "source": clean(each.source) or None}
            for each in answer.ranks
        ],
        "candidates": [_candidate(answer, each, clean) for each in answer.candidates],
        "look": [clean(each) for each in answer.look],
        "collect": list(answer.collect),
        "quotes": [
            {
                "file": clean(shown_path(each.place.file)),
                "line": each.place.line,
                "rank": each.rank,
                "text": clean(each.text),
            }
            for each in parts.quotes(answer)
        ],
        "others": [clean(each) for each in answer.others],
        "rules": list(answer.rules),
        "problems": [clean(each) for each in answer.problems],
        "read": {"files": answer.files, "lines": answer.lines},
    }


def _related(answer: Answer, each: Evidence, clean: Callable[[str], str]) -> dict[str, Any]:
    place = place_fields(each.location, answer.documents)
    return {"message": clean(each.message), **place, "file": clean(place["file"])}


def _candidate(answer: Answer, found: Candidate, clean: Callable[[str], str]) -> dict[str, Any]:
    finding = found.finding
    return {
        "file": clean(shown_path(found.spot.path)),
        "line": found.spot.line,
        "moved": found.spot.moved,
        "reason": found.reason,
        "message": clean(found.message),
        "why": [clean(each) for each in found.why],
        "by_frame": found.by_frame,
        "rule": None if finding is None else {"code": finding.code, "name": finding.name},
        "related": [] if finding is None else [_related(answer, each, clean) for each in finding.evidence],
        "fix": None if finding is None or finding.fix is None else finding.fix.title,
    }
