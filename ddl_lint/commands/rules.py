"""`ddl-lint rules`: lists the rules."""

from __future__ import annotations

import argparse
import json
from typing import Any

from ddl_lint.commands.console import write
from ddl_lint.commands.installed import installed_rules
from ddl_lint.commands.outcome import CLEAN, FAILURE
from ddl_lint.registry.rules import Rule


def run(options: argparse.Namespace) -> int:
    """Show one line for each rule, or all that is known of them as JSON."""
    found = installed_rules()
    rules, exit_code = found.rules, FAILURE if found.mistakes else CLEAN
    if options.output_format == "json":
        write(json.dumps({"version": 1, "rules": [_described(rule) for rule in rules]}, indent=2) + "\n")
        return exit_code
    width = max(len(rule.name) for rule in rules)
    for rule in rules:
        write(f"{rule.code}  {rule.name:<{width}}  {rule.info.severity.value:<7}  {rule.info.summary}\n")
    return exit_code


def _described(rule: Rule) -> dict[str, Any]:
    info = rule.info
    return {
        "code": info.code,
        "name": info.name,
        "summary": info.summary,
        "covers": list(info.covers),
        "frameworks": list(info.frameworks),
        "stage": info.stage,
        "symptom": info.symptom or None,
        "fix_pattern": info.fix_pattern or None,
        "severity": info.severity.value,
        "confidence": info.confidence.value,
        "fixable": info.fixable,
        "lifecycle": info.lifecycle,
    }
