"""The schema for editors allows what the configuration allows, names the rules, and is what the extension offers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ddl_lint.pages import editor_schema as made
from ddl_lint.pages.docs import SCHEMAS
from ddl_lint.pages.editor_schema import FILE, editor_schema, toml_validation
from ddl_lint.project.config import config_schema
from ddl_lint.registry.rules import load_rules

ROOT = Path(__file__).parents[2]
SCHEMA: dict[str, Any] = json.loads(editor_schema(load_rules()))


def test_the_file_of_the_extension_is_up_to_date() -> None:
    written = (ROOT / SCHEMAS / FILE).read_text(encoding="utf-8")
    assert written == editor_schema(load_rules()), "run python -m ddl_lint.pages.docs"


@pytest.mark.parametrize(
    ("table", "is_valid"),
    [
        ({}, True),
        ({"ignore": ["missing-set-epoch", "DDL3", "hang", "rule-of-somebody-else"]}, True),
        ({"severity": {"missing-set-epoch": "error"}, "target": {"torch": "2.4"}}, True),
        ({"ignore": [""]}, False),
        ({"ignore": "DDL3"}, False),
        ({"selekt": []}, False),
        ({"fail-on": "never"}, False),
        ({"fail-on": ["hang", "error"]}, True),
    ],
)
def test_it_allows_what_the_definition_allows(table: dict[str, Any], is_valid: bool) -> None:
    for schema in (SCHEMA, config_schema()):
        validator = jsonschema.Draft202012Validator(schema)
        assert validator.is_valid(table) is is_valid


def test_editors_can_complete_names_of_rules() -> None:
    named = SCHEMA["$defs"]["selector"]["anyOf"][0]["oneOf"]
    assert {"missing-set-epoch", "collective-under-rank-guard"} <= {each["const"] for each in named}
    assert all(each["description"].startswith("DDL") for each in named)


def test_the_extension_offers_the_schema_once_it_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = json.loads((ROOT / "vscode-extension" / "package.json").read_text(encoding="utf-8"))
    assert manifest["contributes"].get("tomlValidation", []) == toml_validation()
    monkeypatch.setattr(made, "documentation", lambda: "https://docs.example.org/")
    assert toml_validation() == [
        {"fileMatch": [".ddl-lint.toml", "ddl-lint.toml"], "url": f"https://docs.example.org/{FILE}"}
    ]
