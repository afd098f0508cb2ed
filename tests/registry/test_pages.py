"""The generated pages that are no rule's own: by framework, consequence and error message, of the configuration."""

from __future__ import annotations

import json
import re
from importlib.resources import files

from ddl_lint.pages.configuration_document import configuration_document
from ddl_lint.pages.error_messages import error_document, error_messages
from ddl_lint.pages.references import is_thread
from ddl_lint.pages.rule_document import (
    FRAMEWORKS,
    consequence_document,
    framework_document,
    index_document,
    witnessed,
)
from ddl_lint.pages.symptom_document import SIGHTS, symptom_document, threads
from ddl_lint.registry.consequences import CONSEQUENCES
from ddl_lint.registry.rules import load_rules

RULES = [rule for rule in load_rules() if not rule.info.is_engine]


def _messages(name: str) -> list[str]:
    return list(error_messages(next(rule for rule in RULES if rule.name == name)))


def test_messages_are_quoted_and_names_of_code_are_not() -> None:
    found = _messages("wrong-device-index")
    assert "RuntimeError: CUDA error: invalid device ordinal" in found
    assert not any(message.startswith(("torch.cuda.", "if ", "torchrun ")) for message in found)


def test_a_message_of_several_rules_leads_to_each() -> None:
    page = error_document(RULES)
    (row,) = (
        line for line in page.splitlines() if line.startswith("| `RuntimeError: CUDA error: invalid device ordinal`")
    )
    assert "(rules/wrong-device-index.md)" in row
    assert "(rules/nproc-exceeds-visible-devices.md)" in row


def test_most_rules_that_end_in_an_error_have_a_message() -> None:
    page = error_document(RULES)
    crashing = [rule for rule in RULES if rule.info.symptom in {"setup failure", "import error", "communication error"}]
    found = [rule for rule in crashing if f"(rules/{rule.name}.md)" in page]
    assert len(found) > 0.75 * len(crashing)


def test_each_rule_is_listed_under_each_of_its_frameworks() -> None:
    sections = dict(re.findall(r"^## (.+)\n((?:(?!^## ).*\n)*)", framework_document(RULES), re.MULTILINE))
    for rule in RULES:
        for framework in rule.info.frameworks:
            assert f"(rules/{rule.name}.md)" in sections[FRAMEWORKS[framework]]


def test_each_rule_is_listed_under_its_consequences_only() -> None:
    page = consequence_document(RULES)
    sections = dict(re.findall(r"^## (.+)\n((?:(?!^## ).*\n)*)", page, re.MULTILINE))
    assert len(sections) == len(CONSEQUENCES)
    for rule in RULES:
        for consequence in rule.info.consequences:
            assert f"(rules/{rule.name}.md)" in sections[consequence.replace("-", " ").capitalize()]
        assert page.count(f"(rules/{rule.name}.md)") == len(rule.info.consequences)


def test_the_list_says_of_each_rule_what_was_seen_and_of_no_other() -> None:
    seen = witnessed()
    assert set(seen) <= {rule.name for rule in RULES}
    row = re.compile(r"^\| DDL\d+ \| \[([\w-]+)\].* \| ([^|]+) \|$", re.MULTILINE)
    rows: list[tuple[str, str]] = row.findall(index_document(RULES, seen, {}))
    assert len(rows) == len(RULES)
    for name, cell in rows:
        shown = {
            (framework, part.split(" with ")[0])
            for part in (cell.split("; ") if cell != "-" else [])
            for framework in part.split(" with ")[1].split(", ")
        }
        assert shown == {(framework, run["outcome"]) for framework, run in seen.get(name, {}).items()}


def test_each_rule_is_listed_once_under_what_people_see_with_its_threads() -> None:
    sections = dict(re.findall(r"^## (.+)\n((?:(?!^## ).*\n)*)", symptom_document(RULES, {}), re.MULTILINE))
    assert set(sections) == {SIGHTS[rule.info.symptom] for rule in RULES}
    assert sum(section.count("(rules/") for section in sections.values()) == len(RULES)
    for rule in RULES:
        row = f"| [{rule.name}](rules/{rule.name}.md) | {rule.info.summary} | {threads(rule) or '-'} | - |"
        assert row.replace("\\|", "|") in sections[SIGHTS[rule.info.symptom]].replace("\\|", "|")


def test_a_commit_or_a_manual_is_no_thread() -> None:
    counted = {rule.name: threads(rule) for rule in RULES}
    assert counted["collective-under-rank-guard"] == len(
        next(rule for rule in RULES if rule.name == "collective-under-rank-guard").info.references
    )
    assert not is_thread("huggingface/trl@237eb9c6")
    assert not is_thread("https://slurm.schedmd.com/sbatch.html")
    assert is_thread("https://stackoverflow.com/questions/1")


def test_each_key_of_the_configuration_is_described() -> None:
    schema = json.loads(files("ddl_lint.project").joinpath("config.schema.json").read_text("utf-8"))
    page = configuration_document()
    for key, described in schema["properties"].items():
        assert f"### `{key}`\n\n{described['description']}" in page
