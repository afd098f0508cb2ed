"""The small schema checker agrees with the real one on what it is used for."""

from __future__ import annotations

import pytest

from ddl_lint.project.config import config_schema
from ddl_lint.registry.rule_file import rule_schema
from ddl_lint.registry.schema import mistakes, nearest

CONFIGURATIONS = [
    {},
    {"select": ["DDL2"], "pedantic": True},
    {"select": "DDL2"},
    {"select": ["a", "a"]},
    {"select": [""]},
    {"selct": []},
    {"pedantic": 1},
    {"fail-on": "error"},
    {"fail-on": "fatal"},
    {"fail-on": ["hang", "data-loss"]},
    {"fail-on": ["hang", "info"]},
    {"target": {"torch": "2.4"}},
    {"target": {"torch": 2.4}},
    {"target": ["torch==2.4"]},
    {"target": ["torch"]},
    {"target": True},
    {"per-file-ignores": {"a": ["x"]}},
    {"per-file-ignores": {"a": "x"}},
    {"severity": {"a": "info"}},
    {"severity": {"a": None}},
    {"max-steps": 100},
    {"max-steps": 99},
    {"max-steps": 1.5},
    {"max-steps": True},
    {"max-seconds": 0.5},
    {"max-seconds": 0},
    {"max-seconds": "long"},
    {"max-check-seconds": 5},
    {"max-check-seconds": 0},
    [],
    "x",
]


@pytest.mark.parametrize("value", CONFIGURATIONS, ids=str)
def test_the_verdict_on_configurations(value):
    jsonschema = pytest.importorskip("jsonschema")
    valid = jsonschema.Draft202012Validator(config_schema()).is_valid(value)
    assert (next(mistakes(value, config_schema()), None) is None) == valid


def test_only_known_keywords_are_used():
    known = {"$schema", "$defs", "$ref", "title", "description", "default", "type", "enum", "pattern", "minLength"}
    known |= {"items", "minItems", "uniqueItems", "properties", "required", "additionalProperties", "anyOf", "minimum"}
    known |= {"examples"}  # what editors offer

    def visit(schema):
        assert schema.keys() <= known
        children = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values(), *schema.get("anyOf", ())]
        children += [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]
        for child in children:
            visit(child)

    visit(config_schema())
    visit(rule_schema())


def test_keys_that_are_no_strings():
    [mistake] = mistakes({1: 2}, {"type": "object"})
    assert (mistake.key, mistake.message) == ("1", "a key must be a string")


def test_all_mistakes_are_told_in_the_order_of_the_data():
    value = {"pedantic": 1, "select": ["", "x"], "per-file-ignores": {"a": 1}}
    assert [mistake.key for mistake in mistakes(value, config_schema())] == [
        "pedantic",
        "select[0]",
        "per-file-ignores.a",
    ]


def test_hints():
    assert nearest("selct", ["select", "ignore"]) == " (did you mean `select`?)"
    assert nearest("xyz", ["select", "ignore"]) == ""
