"""How many findings there are: of each rule, of each severity, and with a fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ddl_lint.diagnostic import Diagnostic
from ddl_lint.finding import Applicability, Severity

_FIXES = {Applicability.SAFE: "safe", Applicability.UNSAFE: "unsafe"}


def fields(findings: Sequence[Diagnostic]) -> dict[str, Any]:
    """The counts for programs, the most frequent rule first."""
    return {
        "total": len(findings),
        "severities": _severities(findings),
        "fixable": _fixable(findings),
        "rules": [
            {
                "code": code,
                "name": name,
                "count": len(found),
                "severities": _severities(found),
                "fixable": _fixable(found),
            }
            for (code, name), found in _by_rule(findings)
        ],
    }


def lines(findings: Sequence[Diagnostic]) -> list[str]:
    """A line for each rule, the most frequent first: count, code, name, its worst severity and how many have a fix."""
    rules = _by_rule(findings)
    width = max((len(name) for (_, name), _ in rules), default=0)
    return [
        f"{len(found):>6}  {code}  {name:<{width}}  {_worst(found):<7}  {_fixes(found)}".rstrip()
        for (code, name), found in rules
    ]


def _by_rule(findings: Sequence[Diagnostic]) -> list[tuple[tuple[str, str], list[Diagnostic]]]:
    found: dict[tuple[str, str], list[Diagnostic]] = {}
    for finding in findings:
        found.setdefault((finding.code, finding.name), []).append(finding)
    return sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))


def _severities(findings: Sequence[Diagnostic]) -> dict[str, int]:
    counts = Counter(finding.severity for finding in findings)
    return {severity.value: counts[severity] for severity in Severity}


def _fixable(findings: Sequence[Diagnostic]) -> dict[str, int]:
    counts = Counter(finding.fix.applicability for finding in findings if finding.fix and finding.fix.edits)
    return {word: counts[level] for level, word in _FIXES.items()}


def _worst(findings: Sequence[Diagnostic]) -> str:
    return max((finding.severity for finding in findings), key=lambda severity: severity.rank).value


def _fixes(findings: Sequence[Diagnostic]) -> str:
    fixable = [f"{count} {word}" for word, count in _fixable(findings).items() if count]
    return f"fixable: {', '.join(fixable)}" if fixable else ""
