"""Which settings apply: configuration files as on the command line, and what the editor says over them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from asking import codes, findings, logged
from ddl_lint_server.configuration import options_from, seconds_from
from ddl_lint_server.messages import Options
from raw_client import PULLING, PUSHING, Message
from server_programs import SAMPLING, SAVING, Start

pytestmark = pytest.mark.slow

CONFIGURABLE: Message = {
    **PUSHING,
    "workspace": {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}},
}


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        (None, Options()),
        ({}, Options()),
        ({"select": ["DDL305"]}, Options(select=("DDL305",))),
        ({"select": []}, Options()),
        ({"select": None, "pedantic": None}, Options()),
        ({"extendSelect": ["a"], "pedantic": True}, Options(extend_select=("a",), pedantic=True)),
        ({"extend-select": ["a"], "preview": True}, Options(extend_select=("a",), preview=True)),
        ({"lint": {"ignore": ["a", "b"]}, "enable": False}, Options(ignore=("a", "b"), enable=False)),
        ({"lint.select": ["a"]}, Options()),
        ({"settings": {"configuration": "c.toml"}}, Options(configuration="c.toml")),
        ({"ddl-lint": {"exclude": ["x"]}}, Options(exclude=("x",))),
        ({"target": {"torch": "2.4"}}, Options(target=("torch==2.4",))),
        ({"target": ["torch==2.4"]}, Options(target=("torch==2.4",))),
        ({"severity": {"DDL305": "error"}}, Options(said={"severity": {"DDL305": "error"}})),
        (
            {"configuration": {"severity": {"a": "info"}, "pedantic": True}, "severity": {"b": "error"}},
            Options(said={"severity": {"a": "info", "b": "error"}, "pedantic": True}),
        ),
        ({"configurationPreference": "editorOnly"}, Options(preference="editorOnly")),
        ({"diagnosticMode": "openFilesOnly"}, Options(is_workspace_shown=False)),
        ({"interpreter": ["python"], "importStrategy": "useBundled", "debounce": 1}, Options()),
    ],
)
def test_settings_in_all_styles(settings: Any, options: Options):
    complaints: list[str] = []
    assert options_from(settings, complaints.append) == options
    assert len(complaints) == (1 if settings == {"lint.select": ["a"]} else 0)


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"select": "DDL305"}, "the editor's setting `select` must be a list of texts"),
        ({"ignore": [1]}, "the editor's setting `ignore` must be a list of texts"),
        ({"pedantic": "yes"}, "the editor's setting `pedantic` must be true or false"),
        ({"configuration": 1}, "the editor's setting `configuration` must be a text or an object"),
        ({"severity": "error"}, "the editor's setting `severity` must be an object"),
        ({"diagnosticMode": "all"}, "the editor's setting `diagnostic-mode` must be `openFilesOnly` or `workspace`"),
        (
            {"configuration": {"extends": "a.toml"}},
            "the editor's setting `configuration` cannot have `extends`: that is for files only",
        ),
        ({"selekt": []}, "unknown setting `selekt` in the editor (did you mean `select`?)"),
    ],
)
def test_settings_that_make_no_sense_are_left_out(settings: Any, complaint: str):
    complaints: list[str] = []
    assert options_from(settings, complaints.append) == Options()
    assert complaints == [complaint]


@pytest.mark.parametrize(
    ("value", "seconds"), [(0, 0.0), (0.2, 0.2), (True, None), ("1", None), (-1, None), (9e9, None)]
)
def test_numbers_of_the_server(value: Any, seconds: float | None):
    assert seconds_from({"debounce": value}, "debounce") == seconds


def test_options_at_the_start(start: Start, project: Path):
    client = start(options={"ignore": ["ddp-wrapped-state-dict"], "selekt": 1})
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    assert client.findings(uri).message["params"]["diagnostics"] == []
    client.wait(lambda: any("did you mean `select`" in line for line in logged(client)), "a complaint")


def test_the_client_is_asked_for_its_settings(start: Start, project: Path):
    client = start(CONFIGURABLE, settings={"ignore": ["DDL305"]})
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    assert client.findings(uri).message["params"]["diagnostics"] == []
    client.settings = {"ignore": []}
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    findings(client, uri, bool, pulls=False)


def test_settings_that_are_sent_without_being_asked_for(start: Start, project: Path):
    client = start()
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, bool, pulls=False)
    client.notify("workspace/didChangeConfiguration", {"settings": {"ddl-lint": {"select": ["DDL201"]}}})
    findings(client, uri, lambda found: not found, pulls=False)


def test_checks_can_be_turned_off(start: Start, project: Path):
    client = start(options={"enable": False})
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    assert client.findings(uri).message["params"]["diagnostics"] == []


def test_the_configuration_of_the_folder_counts_and_changes(join: Start, project: Path):
    (project / "ddl-lint.toml").write_text('ignore = ["DDL305"]\n')
    client = join()
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    assert client.findings(uri).message["params"]["diagnostics"] == []
    (project / "ddl-lint.toml").write_text('severity = { "DDL305" = "error" }\n')
    changed = {"changes": [{"uri": (project / "ddl-lint.toml").as_uri(), "type": 2}]}
    client.notify("workspace/didChangeWatchedFiles", changed)
    (found,) = findings(client, uri, bool, pulls=False)
    assert found["severity"] == 1


def test_a_policy_holds_whatever_the_project_and_the_editor_say(
    start: Start, project: Path, monkeypatch: pytest.MonkeyPatch
):
    (project / "ddl-lint.toml").write_text('ignore = ["ALL"]\n')
    (project / "policy.toml").write_text('enforce = ["DDL305"]\n')
    monkeypatch.setenv("DDL_LINT_POLICY", str(project / "policy.toml"))
    client = start(options={"ignore": ["DDL305"]})
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    (found,) = findings(client, uri, bool, pulls=False)
    assert found["code"] == "DDL305"


def test_a_configuration_of_the_editors_choice(start: Start, project: Path):
    (project / "other.toml").write_text('ignore = ["DDL305"]\n')
    client = start(options={"configuration": "other.toml"})
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    assert client.findings(uri).message["params"]["diagnostics"] == []


def test_only_what_is_open_is_shown(start: Start, project: Path):
    (project / "sampling.py").write_text(SAMPLING)
    client = start(PULLING, options={"diagnosticMode": "openFilesOnly"})
    everything = {"previousResultIds": []}
    assert client.ask("workspace/diagnostic", everything)["result"]["items"] == []
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    assert findings(client, uri, bool, pulls=True)
    client.notify("workspace/didChangeConfiguration", {"settings": {"ddl-lint": {"diagnosticMode": "workspace"}}})
    items = client.ask("workspace/diagnostic", everything)["result"]["items"]
    assert {item["uri"] for item in items} == {uri, (project / "sampling.py").as_uri()}
    client.notify("workspace/didChangeConfiguration", {"settings": {"ddl-lint": {"diagnosticMode": "openFilesOnly"}}})
    told = [{"uri": item["uri"], "value": item["resultId"]} for item in items]
    items = client.ask("workspace/diagnostic", {"previousResultIds": told})["result"]["items"]
    assert {item["uri"]: len(item["items"]) for item in items}[(project / "sampling.py").as_uri()] == 0


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("selekt = []\n", {}, "unknown key `selekt`"),
        ('ignore = ["DDL999"]\n', {}, "unknown rule `DDL999`"),
        ("[[[", {}, "is not valid TOML"),
        ("", {"select": ["nonsense"]}, "the editor's settings: unknown rule `nonsense`"),
        ("", {"configuration": "missing.toml"}, "missing.toml: cannot be read"),
        ("", {"target": ["torch"]}, "expected package==version"),
        ("", {"severity": {"DDL305": "fatal"}}, "the editor's settings: `severity.DDL305`"),
        ("", {"severity": {"DDL999": "error"}}, "the editor's settings: unknown rule `DDL999`"),
        ("", {"configuration": {"selekt": []}}, "unknown key `selekt`"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_said_in_the_file(
    start: Start, join: Start, project: Path, text: str, options: Message, message: str
):
    (project / "ddl-lint.toml").write_text(text)
    client = start(options=options) if options else join()
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    (found,) = findings(client, uri, bool, pulls=False)
    assert found["message"].startswith("not checked, because the configuration cannot be used: ")
    assert message in found["message"] and found["severity"] == 1


def test_each_folder_has_its_own_settings(start: Start, project: Path, tmp_path: Path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "sampling.py").write_text(SAMPLING)

    def settings(uri: str | None) -> Message:
        return {"ignore": ["missing-set-epoch"]} if uri == other.as_uri() else {}

    client = start(CONFIGURABLE, settings=settings)
    here, there = (project / "sampling.py").as_uri(), (other / "sampling.py").as_uri()
    client.open(here, SAMPLING)
    client.open(there, SAMPLING)
    findings(client, here, bool, pulls=False)
    findings(client, there, bool, pulls=False)
    event = {"added": [{"uri": other.as_uri(), "name": "other"}], "removed": []}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    findings(client, there, lambda found: not found, pulls=False)
    assert codes(client.published[here].message["params"]["diagnostics"])


def test_a_nested_project_is_one_of_its_own(join: Start, project: Path):
    inner = project / "inner"
    inner.mkdir()
    (inner / "pyproject.toml").write_text('[tool.ddl-lint]\nignore = ["missing-set-epoch"]\n')
    (inner / "sampling.py").write_text(SAMPLING)
    client = join()
    client.open((inner / "sampling.py").as_uri(), SAMPLING)
    client.open((project / "sampling.py").as_uri(), SAMPLING)
    findings(client, (project / "sampling.py").as_uri(), bool, pulls=False)
    findings(client, (inner / "sampling.py").as_uri(), lambda found: not found, pulls=False)
