"""The page of a rule in the documentation, as Markdown, and the index of all pages."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ddl_lint.pages.references import address
from ddl_lint.pages.rule_page import changes, fix_safety
from ddl_lint.registry.consequences import CONSEQUENCES
from ddl_lint.registry.rules import Rule, rule_packages

WITNESSED = "witnessed.json"
"""The file of a package of rules with what was seen of their faults: rule -> framework or launcher -> how it ran."""

_OUTCOMES: Mapping[str, str] = {
    "hangs": "hangs until its timeout",
    "crashes": "ends with an error",
    "differs": "goes on, and the ranks come to different results",
    "wrong": "goes on, and comes to a wrong result",
}


@dataclass(frozen=True)
class Study:
    """How often studied faults show a symptom, and how they were fixed."""

    faults: int
    symptoms: Mapping[str, Mapping[str, Any]]

    def share(self, symptom: str, fix_pattern: str) -> str:
        """A sentence about both; empty where the study has no such symptom."""
        known = self.symptoms.get(symptom)
        if known is None:
            return ""
        count = int(known["faults"])
        mended = int(known["mended_by"].get(fix_pattern, 0))
        percent = round(100 * count / self.faults)
        share = f"{count} of {self.faults} studied faults ({percent or '<1'} %) show this symptom"
        return f"{share}; {mended} of them were fixed in this way." if mended else f"{share}."


@functools.cache
def study() -> Study:
    """The counts that the project has."""
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


def rule_document(rule: Rule, seen: Seen) -> str:
    """Everything that a reader may want to know of a rule."""
    return "\n\n".join(_parts(rule, seen)) + "\n"


def _parts(rule: Rule, seen: Seen) -> Iterator[str]:
    info = rule.info
    yield f"# {info.name} ({info.code})"
    yield f"{info.summary}."
    facts = {
        "consequence": ", ".join(info.consequences).replace("-", " "),
        "severity": info.severity.value,
        "confidence": info.confidence.value + (", of its errors high" if info.sure_errors else ""),
        "stage": info.stage.replace("_", " "),
        "frameworks": ", ".join(info.frameworks),
        "symptom": info.symptom,
        "fix pattern": info.fix_pattern,
        "lifecycle": f"{info.lifecycle}, since {info.since}",
    }
    yield "\n".join(["| | |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in facts.items() if value)])
    yield "## Why"
    yield info.why
    if known := seen.get(rule.name):
        yield "\n".join(_sight(framework, run) for framework, run in known.items())
    if share := study().share(info.symptom, info.fix_pattern):
        yield share
    if diff := "\n".join(changes(rule)).rstrip():
        yield f"## Example\n\n```diff\n{diff}\n```"
    yield f"## What to do\n\n{info.fix.advice}\n\n{fix_safety(rule)}"
    if info.silent_when:
        yield "## Says nothing when\n\n" + "\n".join(f"- {case.when}" for case in info.silent_when)
    if info.references:
        yield "## Seen in\n\n" + "\n".join(f"- {_link(reference)}" for reference in info.references)
    yield f"To silence it on a line: `# ddl-lint: ignore[{info.name}] reason`"


def _sight(framework: str, run: Mapping[str, str]) -> str:
    told = f"Seen on {framework} {run['version']}"
    told += f" with {run['with']}" if "with" in run else ""
    told += f" ({run['day']})" if "day" in run else ""
    told += f": the faulty program {_OUTCOMES[run['outcome']]}; with the fix it ends well."
    return told + (f" To build it, this was changed: {run['changes']}." if "changes" in run else "")


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
Each page says why, shows an example and its fix, and says when the rule is silent. See also the rules
[by consequence](rules-by-consequence.md), [by framework](rules-by-framework.md),
[by what people see](what-is-checked.md) and [by error message](error-messages.md).

The column *seen* says what happened when the faulty program of the rule was run, and on what; in each of these cases
the corrected program ended well. `-` means that the fault was not reproduced: the rule follows from documentation,
source code and reported faults alone. Many of those faults need GPUs or several nodes."""


def index_document(rules: Sequence[Rule], seen: Seen) -> str:
    """The list of all pages, by stage."""
    parts = ["# Rules", _INTRODUCTION]
    documented = [rule for rule in rules if not rule.info.is_engine]
    for stage in dict.fromkeys(rule.info.stage for rule in documented):
        rows = ["| code | name | finds | severity | seen |", "| --- | --- | --- | --- | --- |"]
        for rule in documented:
            if rule.info.stage == stage:
                summary = rule.info.summary.replace("|", "\\|")
                outcome = seen_in_short(seen.get(rule.name, {}))
                name = f"[{rule.name}](rules/{rule.name}.md)"
                rows.append(f"| {rule.code} | {name} | {summary} | {rule.info.severity.value} | {outcome} |")
        parts.append(f"## {stage.replace('_', ' ').capitalize()}\n\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


FRAMEWORKS: Mapping[str, str] = {
    "pytorch": "PyTorch",
    "tensorflow": "TensorFlow",
    "keras": "Keras",
    "horovod": "Horovod",
    "deepspeed": "DeepSpeed",
    "megatron": "Megatron-LM",
    "colossalai": "Colossal-AI",
    "accelerate": "Accelerate",
    "transformers": "Transformers",
    "lightning": "Lightning",
    "ray": "Ray Train",
}
"""The frameworks of the rules, as their projects write them."""


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
        "What happens if the job starts all the same; each message begins with it. Each is also a group of rules: "
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
