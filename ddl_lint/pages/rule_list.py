"""Rules and their groups: as a list for people, as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ddl_lint.registry.rules import Rule

VERSION = 1
"""As of the JSON for findings."""

_GROUPS = "Groups, which options and settings take in place of a rule:"


def listed(rules: Sequence[Rule], groups: Mapping[str, Sequence[Rule]], form: str) -> str:
    """A line for each rule and for each group, or all that is known of them as JSON."""
    if form == "json":
        members = {name: [rule.code for rule in group] for name, group in groups.items()}
        return _json({"rules": [described(rule) for rule in rules], "groups": members})
    width = max((len(rule.name) for rule in rules), default=0)
    lines = [
        f"{rule.code}  {rule.name:<{width}}  {rule.info.severity.value:<7}  {rule.info.consequence or '':<12}  "
        f"{rule.info.summary}"
        for rule in rules
    ]
    if groups:
        width = max(map(len, groups))
        counts = {name: f"{len(group)} rule{'s' * (len(group) != 1)}" for name, group in groups.items()}
        lines += ["", _GROUPS, *(f"  {name:<{width}}  {count}" for name, count in counts.items())]
    return "".join(f"{line}\n" for line in lines)


def explained(rule: Rule) -> str:
    """All that is known of a rule, and what its page says, as JSON."""
    info = rule.info
    return _json(
        {
            "rule": {
                **described(rule),
                "since": info.since,
                "why": info.why,
                "advice": info.fix.advice,
                "fix_safety": info.fix.applicability,
                "fix_reason": info.fix.reason or None,
                "silent_when": [case.when for case in info.silent_when],
                "references": list(info.references),
            }
        }
    )


def described(rule: Rule) -> dict[str, Any]:
    """What is known of a rule, without its page."""
    info = rule.info
    return {
        "code": info.code,
        "name": info.name,
        "summary": info.summary,
        "covers": list(info.covers),
        "frameworks": list(info.frameworks),
        "stage": info.stage,
        "symptom": info.symptom or None,
        "consequence": info.consequence,
        "consequences": list(info.consequences),
        "fix_pattern": info.fix_pattern or None,
        "severity": info.severity.value,
        "confidence": info.confidence.value,
        "fixable": info.fixable,
        "lifecycle": info.lifecycle,
    }


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps({"version": VERSION, **content}, indent=2) + "\n"
