"""The page of a rule in the documentation, as Markdown, and the index of all pages."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ddl_lint.claim import title_of
from ddl_lint.pages.framework_names import FRAMEWORKS
from ddl_lint.pages.references import address
from ddl_lint.pages.rule_page import changes, facts, fix_safety, silencing
from ddl_lint.registry.consequences import CONSEQUENCES
from ddl_lint.registry.rules import Rule, rule_packages

WITNESSED = "witnessed.json"
"""The file of a package of rules with what was seen of their faults: rule -> framework or launcher -> how it ran."""

_OUTCOMES: Mapping[str, str] = {
    "hangs": "hangs until timeout",
    "crashes": "ends with an error",
    "differs": "runs to its end, with different results on the ranks",
    "wrong": "runs to its end, with a wrong result",
}


@dataclass(frozen=True)
class Study:
    """The words of the published study for what faults look like, and for how they were fixed."""

    faults: int
    symptoms: Mapping[str, Mapping[str, Any]]


@functools.cache
def study() -> Study:
    """What the project has of it."""
    import yaml

    data: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("studied_faults.yaml").read_text(encoding="utf-8"))
    return Study(data["faults"], data["symptoms"])


Seen = Mapping[str, Mapping[str, Mapping[str, str]]]
"""What was seen of faults, as the file has it: `version` and `outcome`; the framework it ran `with`; what had to be
changed to build it (`changes`); and the `day` since when it is known."""


def witnessed() -> Seen:
    """What was seen of the faults of the installed rules."""
    seen: dict[str, Mapping[str, Mapping[str, str]]] = {}
    for folder in rule_packages().values():
        file = folder / WITNESSED
        if file.is_file():
            seen.update(json.loads(file.read_text(encoding="utf-8")))
    return seen


def rule_document(rule: Rule, seen: Seen, acted: Mapping[str, str]) -> str:
    """Everything that a reader may want to know of a rule: what it looks like first, how it is classified last.

    Args:
        rule: The rule.
        seen: What was seen of the faults of all rules.
        acted: In how many repositories people act on a rule, by its code.
    """
    return "\n\n".join(_parts(rule, seen.get(rule.name, {}), acted.get(rule.code, ""))) + "\n"


def _parts(rule: Rule, seen: Mapping[str, Mapping[str, str]], acted: str) -> Iterator[str]:
    info = rule.info
    yield f"# {info.name} ({info.code})"
    yield f"{info.summary}."
    yield in_short(rule)
    if diff := "\n".join(changes(rule)).rstrip():
        yield f"## Example\n\n```diff\n{diff}\n```"
    yield f"## Why\n\n{info.why.strip()}"
    yield f"## What to do\n\n{info.fix.advice.strip()}\n\n{fix_safety(rule)}"
    if info.silent_when:
        yield "## When it is silent\n\n" + "\n".join(f"- {case.when}" for case in info.silent_when)
    yield f"## How to silence it\n\n`{silencing(rule)}`"
    evidence = [_sight(framework, run) for framework, run in seen.items()]
    if acted:
        evidence.append(f"[Acted on](../precision.md) in {acted} repositories at first contact.")
    if info.references:
        evidence.append("Reported in " + ", ".join(map(_link, info.references)) + ".")
    if evidence:
        yield "## Evidence\n\n" + "\n".join(f"- {each}" for each in evidence)
    rows = (f"| {name} | {value} |" for name, value in facts(rule).items())
    yield "\n".join(["## Facts\n", "| | |", "| --- | --- |", *rows])


def in_short(rule: Rule) -> str:
    """What a rule is about, in a line: `Hang · error · safe fix · PyTorch`."""
    info = rule.info
    costs = " or ".join(title_of(each).lower() for each in info.consequences)
    level = f"{info.severity.value}{' (preview)' if info.lifecycle == 'preview' else ''}"
    frameworks = ", ".join(FRAMEWORKS.get(each, each) for each in info.frameworks)
    words = filter(
        None, (f"**{costs[:1].upper()}{costs[1:]}**" if costs else "", level, fix_in_short(rule), frameworks)
    )
    return " · ".join(words)


def fix_in_short(rule: Rule) -> str:
    """`safe fix`, `unsafe fix` or `no fix`."""
    fix = rule.info.fix
    return "no fix" if fix.kind == "none" else f"{fix.applicability} fix"


def _sight(framework: str, run: Mapping[str, str]) -> str:
    on = f"{framework} {run['version']}" + (f" with {run['with']}" if "with" in run else "")
    day = f" ({run['day']})" if "day" in run else ""
    said = f"Reproduced on {on}{day}: {_OUTCOMES[run['outcome']]}; the fixed program finishes."
    return said + (f" Changed to build it: {run['changes']}." if "changes" in run else "")


def seen_in_short(runs: Mapping[str, Mapping[str, str]]) -> str:
    """How a fault showed itself, and on what: `crashes with torch; hangs with accelerate, lightning`."""
    on: dict[str, list[str]] = {}
    for framework, run in sorted(runs.items()):
        on.setdefault(run["outcome"], []).append(framework)
    return "; ".join(f"{outcome} with {', '.join(on[outcome])}" for outcome in sorted(on)) or "-"


def _link(reference: str) -> str:
    """A reference, as a link if there is something to link to."""
    known = address(reference)
    return f"[{reference}]({known})" if known else reference


_INTRODUCTION = """\
Each page shows an example and its fix, says why, and when the rule is silent. See also the rules
[by consequence](rules-by-consequence.md), [by framework](rules-by-framework.md),
[by what people see](what-is-checked.md) and [by error message](error-messages.md).

*Acted on* says in how many repositories a finding of the rule was worth a change, of those in which it made one
([at first contact](precision.md)). *Seen* says what happened when the faulty program of the rule was run, and on
what; in each of these cases the fixed program finished. `-` means that there is no such figure: many faults need GPUs
or several nodes, and such rules follow from documentation, source code and reported faults."""


def index_document(rules: Sequence[Rule], seen: Seen, acted: Mapping[str, str]) -> str:
    """The list of all pages, by stage."""
    parts = ["---\nhide-toc: true\n---\n\n# Rules", _INTRODUCTION]
    documented = [rule for rule in rules if not rule.info.is_engine]
    for stage in dict.fromkeys(rule.info.stage for rule in documented):
        mine = [rule for rule in documented if rule.info.stage == stage]
        rows = (_row(rule, seen.get(rule.name, {}), acted.get(rule.code, "-")) for rule in mine)
        parts.append(f"## {stage.replace('_', ' ').capitalize()}\n\n" + "\n".join([*_HEADER, *rows]))
    return "\n\n".join(parts) + "\n"


_HEADER = (
    "| code | name | finds | costs | level | fix | frameworks | acted on | seen |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
)


def _row(rule: Rule, runs: Mapping[str, Mapping[str, str]], acted: str) -> str:
    info = rule.info
    cells = (
        rule.code,
        f"[{rule.name}](rules/{rule.name}.md)",
        info.summary.replace("|", "\\|"),
        ", ".join(title_of(each).lower() for each in info.consequences),
        f"{info.severity.value}{', preview' if info.lifecycle == 'preview' else ''}",
        fix_in_short(rule).removesuffix(" fix"),
        ", ".join(FRAMEWORKS.get(each, each) for each in info.frameworks) or "all",
        acted,
        seen_in_short(runs),
    )
    return f"| {' | '.join(cells)} |"


_ACTED = re.compile(r"^\| (DDL\d+) .*\| (\d+ of \d+) \| [^|]* \|$", re.MULTILINE)


def acted_on(precision: str) -> Mapping[str, str]:
    """In how many repositories people act on each rule, by its code, as `docs/precision.md` has it."""
    return dict(_ACTED.findall(precision))


def framework_document(rules: Sequence[Rule]) -> str:
    """The rules of each framework."""
    parts = ["# Rules by framework", "A rule that knows several frameworks is listed under each of them."]
    for framework, title in FRAMEWORKS.items():
        mine = [rule for rule in rules if framework in rule.info.frameworks and not rule.info.is_engine]
        parts.append(f"## {title}\n\n{_table(mine)}")
    return "\n\n".join(parts) + "\n"


def consequence_document(rules: Sequence[Rule]) -> str:
    """The rules of each consequence."""
    introduction = (
        "What happens if the job runs anyway; each message begins with it. Each is also a group of rules: "
        "`ddl-lint --select hang` checks for hangs only."
    )
    parts = ["# Rules by consequence", introduction]
    for name, consequence in CONSEQUENCES.items():
        mine = [rule for rule in rules if name in rule.info.consequences and not rule.info.is_engine]
        said = f"{consequence.meaning} Group: `{name}`, {len(mine)} rules."
        parts.append(f"## {consequence.title}\n\n{said}\n\n{_table(mine)}")
    return "\n\n".join(parts) + "\n"


def _table(rules: Sequence[Rule]) -> str:
    rows = ["| code | name | finds |", "| --- | --- | --- |"]
    for rule in rules:
        summary = rule.info.summary.replace("|", "\\|")
        rows.append(f"| {rule.code} | [{rule.name}](rules/{rule.name}.md) | {summary} |")
    return "\n".join(rows)
