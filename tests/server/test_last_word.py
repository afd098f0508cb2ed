"""What has the last word about a file: the editor's settings or the configuration files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ddl_lint.check.configuration import Resolver
from ddl_lint.finding import Severity
from ddl_lint.project import config
from ddl_lint.project.config import ConfigError, Settings
from ddl_lint.registry.rules import load_rules
from ddl_lint_server.configuration import options_from
from ddl_lint_server.messages import Workspace
from ddl_lint_server.settings import configuration_of

RULES = load_rules()
FILE = """\
select = ["DDL3"]
ignore = ["DDL301"]
severity = { "DDL305" = "error" }
"""


def settings(folder: Path, said: Any, text: str = FILE) -> Settings:
    """Of a file in a folder whose configuration file holds a text, with what an editor says."""
    (folder / "ddl-lint.toml").write_text(text)
    config.forget()
    options = options_from(said, pytest.fail)
    workspace = Workspace(folders=(folder.as_posix(),), options={"": options, folder.as_posix(): options})
    return Resolver(configuration_of(workspace), RULES)(folder / "train.py")


def level(found: Settings) -> dict[str, str]:
    return {selector: severity.value for selector, severity in found.severity.items()}


def test_the_editor_has_the_last_word(tmp_path: Path):
    found = settings(tmp_path, {"select": ["DDL402"], "ignore": ["DDL5"], "severity": {"DDL402": "info"}})
    assert (found.select, found.ignore) == (("DDL402",), ("DDL301", "DDL5"))
    assert level(found) == {"DDL305": "error", "DDL402": "info"}


@pytest.mark.parametrize("name", ["DDL305", "ddp-wrapped-state-dict"])
def test_a_severity_replaces_that_of_the_file_by_either_name(tmp_path: Path, name: str):
    assert level(settings(tmp_path, {"severity": {name: "info"}})) == {name: "info"}


def test_a_configuration_in_the_settings_has_the_keys_of_a_file(tmp_path: Path):
    said = {"configuration": {"per-file-ignores": {"tools/**": ["DDL4"]}, "max-steps": 500, "ignore": ["DDL2"]}}
    found = settings(tmp_path, said)
    assert found.per_file_ignores == {"tools/**": ("DDL4",)} and found.max_steps == 500
    assert found.ignore == ("DDL301", "DDL2") and found.source == tmp_path / "ddl-lint.toml"


def test_the_files_have_the_last_word_key_by_key(tmp_path: Path):
    said = {
        "select": ["DDL402"],
        "ignore": ["DDL5"],
        "pedantic": True,
        "target": ["torch==2.4"],
        "severity": {"DDL305": "info", "DDL402": "info"},
        "configurationPreference": "filesystemFirst",
    }
    found = settings(tmp_path, said)
    assert (found.select, found.ignore, found.pedantic) == (("DDL3",), ("DDL301",), True)
    assert level(found) == {"DDL305": "error", "DDL402": "info"} and found.target == {"torch": "2.4"}
    assert settings(tmp_path, said, "").select == ("DDL402",)
    assert settings(tmp_path, said, 'target = { torch = "1.13" }').target == {"torch": "1.13"}


def test_the_files_may_have_no_word_at_all(tmp_path: Path):
    found = settings(tmp_path, {"ignore": ["DDL5"], "configurationPreference": "editorOnly"})
    assert (found.select, found.ignore, level(found), found.source) == (None, ("DDL5",), {}, None)
    assert found.root == tmp_path
    assert settings(tmp_path, {"configurationPreference": "editorOnly"}, "[[[").source is None


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"severity": {"DDL305": "fatal"}}, "the editor's settings: `severity.DDL305`"),
        ({"severity": {"DDL999": "error"}}, "the editor's settings: unknown rule `DDL999`"),
        ({"configuration": {"selekt": []}}, "the editor's settings: unknown key `selekt`"),
        ({"configuration": {"exclude": ["["]}}, "begins a set with `[`"),
    ],
)
def test_mistakes_in_the_settings_are_told(tmp_path: Path, said: Any, message: str):
    with pytest.raises(ConfigError) as raised:
        settings(tmp_path, said)
    assert message in str(raised.value)


def test_levels_are_severities(tmp_path: Path):
    assert settings(tmp_path, {"severity": {"hang": "warning"}}).severity["hang"] is Severity.WARNING
