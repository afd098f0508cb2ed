"""Which rules found nothing at the last first contacts: `python -m benchmarks.finds` lists them, first those about
which people have asked most. Such a rule is a candidate: for repair where people do have the fault, else for removal.

A rule that is younger than those draws could not find anything in them; `since` tells.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.judged import Judgement, judgements
from benchmarks.tables import table
from ddl_lint.pages.symptom_document import threads
from ddl_lint.registry.rules import Rule, load_rules

LAST = 2
"""So many draws are looked at."""


class Idle(NamedTuple):
    """A rule without a find, and what was ever found by it."""

    rule: Rule
    threads: int
    last_find: str
    """The last draw with a true or mild finding of it; empty where there is none."""

    false: int
    """How often it was wrong in the draws that are looked at."""


def idle(rules: Sequence[Rule], found: Sequence[Judgement], last: int = LAST) -> list[Idle]:
    """The rules of which no finding was true or mild in the last draws."""
    recent = set(sorted({each.draw for each in found})[-last:])
    finds: dict[str, str] = {}
    for each in found:
        if each.verdict != "false":
            finds[each.code] = max(each.draw, finds.get(each.code, ""))
    rows = [
        Idle(
            rule,
            threads(rule),
            finds.get(rule.code, ""),
            sum(each.code == rule.code and each.draw in recent and each.verdict == "false" for each in found),
        )
        for rule in rules
        if not rule.info.is_engine and finds.get(rule.code, "") not in recent
    ]
    return sorted(rows, key=lambda each: (-each.threads, each.rule.code))


def main() -> int:
    """Print the list; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.finds", description="Rules without a find of late.")
    parser.add_argument("--last", type=int, default=LAST, help="how many draws to look at (default: %(default)s)")
    options = parser.parse_args()
    rules, found = load_rules(), judgements()
    rows = idle(rules, found, options.last)
    head = ["rule", "since", "confidence", "public threads", "last find", "false of late"]
    print(
        table(
            head,
            (
                [
                    f"{each.rule.code} {each.rule.name}",
                    each.rule.info.since,
                    each.rule.info.confidence.value,
                    str(each.threads or "-"),
                    each.last_find or "never",
                    str(each.false or "-"),
                ]
                for each in rows
            ),
        )
    )
    known = sum(not rule.info.is_engine for rule in rules)
    print(f"\n{len(rows)} of {known} rules found nothing in {options.last} draws.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
