"""What is checked, by what people see, with how often people have asked about it in public."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ddl_lint.pages.references import is_thread
from ddl_lint.pages.rule_document import Seen, seen_in_short
from ddl_lint.registry.rules import Rule

SIGHTS: Mapping[str, str] = {
    "hang": "The job hangs",
    "hang and timeout": "The job hangs",
    "setup failure": "The job does not come up",
    "communication error": "Communication fails",
    "unexpected intermediate result": "A loss, a metric or a file is wrong",
    "non-convergence": "The model learns badly",
    "unexpected parallelization and device": "Other processes or devices work than should",
    "partition error": "Other processes or devices work than should",
    "low efficiency": "Training is slow",
    "memory issue": "Memory runs out",
    "device error": "A device is refused",
    "tensor mismatch": "Shapes or types do not fit",
    "data loading failure": "Data cannot be read",
    "model loading failure": "A model or checkpoint cannot be loaded",
    "checkpoint nonfunctioning": "A checkpoint is of no use",
    "path error": "A file is not found",
    "import error": "An import fails",
    "attribute not found": "An attribute is missing",
    "installation & build failure": "An installation fails",
    "graph execution error": "A graph of TensorFlow fails",
    "not implemented error": "Something is not implemented",
    "logging error": "A log is wrong",
    "others": "Something else",
    "": "Nothing is seen at first",
}
"""The symptoms of rules, as whoever started the job would say it."""

_INTRODUCTION = """\
*Threads* counts the public threads (issues, pull requests, questions) that the page of a rule names under *Evidence*;
`-` means that none is known. *Seen* says what happened when its faulty program was run, and on what. If you have a
message, [find the rule by it](error-messages.md); if a job has died, `ddl-lint diagnose`
[finds the line](my-job-hangs.md)."""


def threads(rule: Rule) -> int:
    """How many public threads about this kind of fault are known."""
    return sum(map(is_thread, rule.info.references))


def symptom_document(rules: Sequence[Rule], seen: Seen) -> str:
    """The kinds of faults under what people see, those most asked about first."""
    documented = [rule for rule in rules if not rule.info.is_engine]
    parts = ["# What is checked, by what people see", _INTRODUCTION]
    for sight in dict.fromkeys(SIGHTS.values()):
        mine = sorted((rule for rule in documented if SIGHTS[rule.info.symptom] == sight), key=_rank)
        if mine:
            asked = sum(map(threads, mine))
            kinds = f"{len(mine)} kind{'s' * (len(mine) != 1)}"
            said = f"{kinds}, {asked} public thread{'s' * (asked != 1)}."
            parts.append(f"## {sight}\n\n{said}\n\n{_table(mine, seen)}")
    return "\n\n".join(parts) + "\n"


def _rank(rule: Rule) -> tuple[int, str]:
    return -threads(rule), rule.code


def _table(rules: Sequence[Rule], seen: Seen) -> str:
    rows = ["| kind | what it is | threads | seen |", "| --- | --- | ---: | --- |"]
    for rule in rules:
        summary = rule.info.summary.replace("|", "\\|")
        count, outcome = threads(rule) or "-", seen_in_short(seen.get(rule.name, {}))
        rows.append(f"| [{rule.name}](rules/{rule.name}.md) | {summary} | {count} | {outcome} |")
    return "\n".join(rows)
