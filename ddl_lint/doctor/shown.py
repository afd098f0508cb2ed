"""What an examination shows, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ddl_lint.doctor.examination import Examination, Fact, Spot
from ddl_lint.doctor.knowledge import knowledge
from ddl_lint.escape import harmless_json, one_line
from ddl_lint.finding import Severity
from ddl_lint.output.counted import counted

VERSION = 1
"""Raised when a field changes its meaning or goes away; new fields may come at any time."""


def text(found: Examination) -> str:
    """One paragraph for each fact, the gravest first; what was looked at above, how much was found below."""
    return "".join(f"{one_line(line)}\n" for line in _lines(found))


def _lines(found: Examination) -> Iterator[str]:
    environment = found.environment
    versions = environment.versions
    known = ", ".join(f"{name} {versions[name]}" for name in knowledge()["frameworks"] if name in versions)
    where = f" in {environment.folder}" if environment.folder else ""
    variables = counted(len(environment.values), "variable")
    yield f"{known or 'no framework'}{where}; {variables}; {counted(found.files, 'file')}"
    for fact in found.facts:
        yield ""
        yield f"{fact.spot}: {fact.severity.value} {' '.join(filter(None, (fact.code, fact.name)))}: {fact.message}"
        for message, spot in fact.evidence:
            yield f"  {spot}: {message}"
        if fact.help:
            yield f"  help: {fact.help}"
        if fact.doubt:
            yield f"  note: {fact.doubt}"
    for each in found.unknown:
        yield ""
        yield f"cannot say: {each}"
    yield ""
    counts = [counted(sum(fact.severity is each for fact in found.facts), each.value) for each in Severity]
    yield f"Found {', '.join(counts)}." if found.facts else "No problems found."


def as_json(found: Examination) -> str:
    """`{"version": 1, "packages": {...}, "variables": [...], "facts": [...], "unknown": [...]}`."""
    content = {
        "version": VERSION,
        "packages": found.environment.versions,
        "variables": sorted(found.environment.values),
        "files": found.files,
        "facts": [_fact(each) for each in found.facts],
        "unknown": list(found.unknown),
    }
    return harmless_json(json.dumps(content, indent=2)) + "\n"


def _fact(fact: Fact) -> dict[str, Any]:
    return {
        "severity": fact.severity.value,
        "code": fact.code or None,
        "name": fact.name,
        "message": fact.message,
        **_spot(fact.spot),
        "evidence": [{"message": message, **_spot(spot)} for message, spot in fact.evidence],
        "help": fact.help,
        "doubt": fact.doubt,
    }


def _spot(spot: Spot) -> dict[str, Any]:
    return {"file" if spot.line is not None else "place": spot.name, "line": spot.line}
