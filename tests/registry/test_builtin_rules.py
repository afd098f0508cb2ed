"""The rules that come with ddl-lint: complete rooms, and documentation that has not drifted."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from ddl_lint.check.stored_results import codec_for
from ddl_lint.pages.docs import FIXED_PICTURE, PICTURE, PRECISION, fixed_picture, generated, pages, picture, write_pages
from ddl_lint.pages.rule_document import study, witnessed
from ddl_lint.pages.rule_page import rule_page
from ddl_lint.project.config import config_schema
from ddl_lint.project.selectors import groups
from ddl_lint.registry.rules import Rule, load_rules, rule_packages
from witnesses import launch_witnesses, witnesses

ROOT = Path(__file__).resolve().parents[2]
RULES = load_rules()
BUILTIN = [rule for rule in RULES if rule.module.startswith("ddl_lint_rules.")]
DIGIT = {
    "build_and_import": "1",
    "communication_setup": "2",
    "data_and_model": "3",
    "training": "4",
    "hangs_and_performance": "5",
    "launch_and_config": "6",
}

each_rule = pytest.mark.parametrize("rule", BUILTIN, ids=lambda rule: rule.name)


def test_the_built_in_rules_are_found():
    assert "ddl_lint_rules" in rule_packages()
    assert len(BUILTIN) >= 15


@each_rule
def test_a_room_is_complete(rule: Rule):
    assert rule.folder is not None
    for part in ("check.py", "__init__.py", "bad", "good"):
        assert (rule.folder / part).exists(), f"{rule.folder / part} is missing"
    judge = rule.check_project_files if rule.info.checks_project_files else rule.check
    assert judge is not None
    parameters = inspect.signature(judge).parameters
    assert len(parameters) == 1


@each_rule
def test_what_a_rule_publishes_can_be_stored(rule: Rule):
    """Else all scripts of which it publishes something are followed again after each change of a project."""
    published = get_type_hints(rule.publish)["return"] if rule.publish is not None else None
    for kind in _classes_in(published, set()):
        assert codec_for([rule]).encode(kind)


def _classes_in(hint: Any, known: set[Any]) -> Iterator[Any]:
    """The classes that an annotation names, with those of their fields; without Python's own."""
    if hint in known:
        return
    known.add(hint)
    if isinstance(hint, type) and hint.__module__.startswith("ddl_lint"):
        yield hint
        for each in get_type_hints(hint).values():
            yield from _classes_in(each, known)
    for part in get_args(hint):
        yield from _classes_in(part, known)


@each_rule
def test_a_rule_says_what_its_fault_costs(rule: Rule):
    assert rule.info.consequence in groups(BUILTIN)


def test_the_schema_of_the_configuration_offers_the_groups_there_are():
    assert config_schema()["$defs"]["selector"]["examples"] == ["ALL", *groups(BUILTIN)]


def test_no_group_has_the_name_of_a_rule():
    assert not groups(BUILTIN).keys() & {rule.name for rule in RULES}


@each_rule
def test_nothing_is_left_to_be_written(rule: Rule):
    assert rule.folder is not None
    assert "TODO" not in (rule.folder / "rule.yaml").read_text(encoding="utf-8")


@each_rule
def test_the_code_says_the_stage(rule: Rule):
    assert rule.code.startswith(f"DDL{DIGIT[rule.info.stage]}")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_has_a_page(rule: Rule):
    page = rule_page(rule)
    assert page.startswith(f"{rule.code} {rule.name}\n")
    assert "# expect" not in page
    assert f"\nWhy\n  {rule.info.why.split()[0]} " in page


def test_what_the_readme_shows_is_what_is_really_said():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert generated(readme, ROOT) == readme, "run python -m ddl_lint.pages.docs"
    assert (ROOT / "docs" / PICTURE).read_text(encoding="utf-8") == picture(ROOT), "run python -m ddl_lint.pages.docs"
    fixed = (ROOT / "docs" / FIXED_PICTURE).read_text(encoding="utf-8")
    assert fixed == fixed_picture(ROOT), "run python -m ddl_lint.pages.docs"


def test_the_readme_fits_on_a_screen():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) < 70 and not any("| DDL" in line for line in lines)


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    """The pages that are made with each build of the site."""
    return pages(RULES, ROOT)


def test_generated_pages_are_made_for_the_site_and_not_kept(made: dict[str, str], tmp_path: Path):
    (tmp_path / "docs" / "rules").mkdir(parents=True)
    (tmp_path / "docs" / "rules" / "gone.md").write_text("a rule that is no more", encoding="utf-8")
    (tmp_path / "docs" / PRECISION).write_bytes((ROOT / "docs" / PRECISION).read_bytes())
    write_pages(RULES, tmp_path)
    files = {path for path in (tmp_path / "docs").rglob("*.md") if path.name != PRECISION}
    assert {file.relative_to(tmp_path / "docs").as_posix(): file.read_text(encoding="utf-8") for file in files} == made
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert all("docs/rules/" in ignored if "/" in name else f"docs/{name}" in ignored for name in made)


def test_links_between_pages_lead_somewhere(made: dict[str, str]):
    kept = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
    there = {*made, *kept}
    for name, text in {**kept, **made}.items():
        for link in re.findall(r"\]\(([\w./-]+\.md)(?:#[\w-]*)?\)", text):
            place = os.path.normpath(os.path.join(os.path.dirname(name), link))
            assert place in there or (ROOT / "docs" / place).is_file(), f"{name}: {link}"


def test_what_was_witnessed_is_what_the_programs_show():
    seen = {(rule, stack, run["outcome"]) for rule, runs in witnessed().items() for stack, run in runs.items()}
    assert seen == {
        (witness.rule, witness.stack, witness.outcome) for witness in (*witnesses(), *launch_witnesses())
    }, "run make witness"


def test_the_list_of_rules_says_what_was_witnessed(made: dict[str, str]):
    listed: dict[str, str] = {}
    for line in made["rules.md"].splitlines():
        if match := re.match(r"\| DDL\d+ \| \[([\w-]+)\].* \| ([^|]+) \|$", line):
            listed[match[1]] = match[2]
    assert set(witnessed()) <= set(listed)
    for rule, told in listed.items():
        runs = witnessed().get(rule, {})
        said = {
            (outcome, stack)
            for part in told.split("; ")
            for outcome, _, where in [part.partition(" with ")]
            if where
            for stack in where.split(", ")
        }
        assert said == {(run["outcome"], stack) for stack, run in runs.items()}, rule


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_study_knows_the_words_of_a_rule(rule: Rule):
    if rule.info.symptom:
        assert rule.info.symptom in study().symptoms
