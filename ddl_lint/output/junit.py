"""Findings as failed tests in JUnit's XML, which most CI systems show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.escape import harmless_markup
from ddl_lint.finding import Severity
from ddl_lint.output.places import Place, place_of
from ddl_lint.output.shown import Shown

_NAME = "ddl-lint"


def render(shown: Shown) -> str:
    """A suite for each file with findings, and a test for each of them: advice is a test that passes. Without findings,
    one test that passes.
    """
    placed = [(place_of(finding.location, shown.documents), finding) for finding in shown.findings]
    suites = [list(group) for _, group in groupby(placed, key=lambda each: each[0].file)]
    failures = sum(map(_fails, shown.findings))
    counts = f'tests="{len(placed) or 1}" failures="{failures}" errors="0"'
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f'<testsuites name="{_NAME}" {counts}>']
    for suite in suites:
        lines += _suite(suite, shown)
    if not suites:
        lines.append(f'  <testsuite name="{_NAME}" tests="1" failures="0" errors="0" skipped="0">')
        lines.append(f'    <testcase name="no problems found" classname="{_NAME}"/>')
        lines.append("  </testsuite>")
    return harmless_markup("\n".join([*lines, "</testsuites>"])) + "\n"


def _suite(found: Sequence[tuple[Place, Diagnostic]], shown: Shown) -> Iterator[str]:
    file = quoteattr(found[0][0].name)
    failures = sum(_fails(finding) for _, finding in found)
    yield f'  <testsuite name={file} tests="{len(found)}" failures="{failures}" errors="0" skipped="0">'
    for place, finding in found:
        name = quoteattr(f"{finding.code} {finding.name} at {place.position}")
        line = "" if place.lines_in_file is None else f' line="{place.lines_in_file[0]}"'
        yield f"    <testcase name={name} classname={file} file={file}{line}>"
        story = escape("\n".join(_story(place, finding, shown)))
        if _fails(finding):
            message = quoteattr(finding.message)
            yield f'      <failure type="{finding.severity.value}" message={message}>{story}</failure>'
        else:
            yield f"      <system-out>{story}</system-out>"
        yield "    </testcase>"
    yield "  </testsuite>"


def _story(place: Place, finding: Diagnostic, shown: Shown) -> Iterator[str]:
    yield f"{place.head}: {finding.message}"
    for evidence in finding.evidence:
        yield f"{place_of(evidence.location, shown.documents).head}: {evidence.message}"
    if finding.help:
        yield f"help: {finding.help}"


def _fails(finding: Diagnostic) -> bool:
    return finding.severity is not Severity.INFO
