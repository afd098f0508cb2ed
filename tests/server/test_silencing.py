"""What silences a finding: comments for a line and a file, the configuration for a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from asking import actions, edited, edits_of, findings
from raw_client import PUSHING, Message, RawClient
from server_programs import SAMPLING, SAVING, Start

pytestmark = pytest.mark.slow

IN_PROJECT = "quickfix.suppress.ddl-lint.project"
RESOLVING: Message = {
    **PUSHING,
    "textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        }
    },
}
MAKING: Message = {
    **PUSHING,
    "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}},
}


def opened(client: RawClient, project: Path, name: str, text: str) -> str:
    uri = (project / name).as_uri()
    client.open(uri, text)
    findings(client, uri, bool, pulls=False)
    return uri


def in_project(client: RawClient, uri: str) -> Message:
    (action,) = actions(client, uri, only=[IN_PROJECT])
    return action


def test_a_comment_for_the_file_silences_all_of_it(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "sampling.py", SAMPLING)
    (action,) = (each for each in actions(client, uri) if each["title"].endswith("in this file"))
    after = edited(SAMPLING, edits_of(action)[uri])
    assert after == f"# ddl-lint: ignore-file[missing-set-epoch]\n{SAMPLING}"
    client.change(uri, 2, {"text": after})
    findings(client, uri, lambda found: not found, pulls=False)


def test_the_configuration_silences_the_project(start: Start, project: Path):
    configuration = project / "ddl-lint.toml"
    configuration.write_text("# ours\npedantic = false\n")
    client = start()
    uri = opened(client, project, "sampling.py", SAMPLING)
    action = in_project(client, uri)
    assert action["title"] == "Ignore `missing-set-epoch` in this project"
    ((changed, edits),) = edits_of(action).items()
    assert changed == configuration.as_uri()
    configuration.write_text(edited(configuration.read_text(), edits))
    assert configuration.read_text() == '# ours\npedantic = false\nignore = ["missing-set-epoch"]\n'
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": changed, "type": 2}]})
    findings(client, uri, lambda found: not found, pulls=False)


def test_the_text_of_an_open_configuration_counts(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "sampling.py", SAMPLING)
    configuration = (project / "ddl-lint.toml").as_uri()
    client.open(configuration, 'ignore = ["DDL3"]\n', language="toml")
    (edits,) = edits_of(in_project(client, uri)).values()
    assert edited('ignore = ["DDL3"]\n', edits) == 'ignore = ["DDL3", "missing-set-epoch"]\n'


def test_the_edit_is_made_when_it_is_chosen(start: Start, project: Path):
    client = start(RESOLVING)
    uri = opened(client, project, "sampling.py", SAMPLING)
    action = in_project(client, uri)
    assert "edit" not in action
    resolved = client.ask("codeAction/resolve", action)["result"]
    assert list(edits_of(resolved)) == [(project / "ddl-lint.toml").as_uri()]


@pytest.fixture
def bare(project: Path) -> Path:
    """The project without a configuration."""
    (project / "ddl-lint.toml").unlink()
    return project


def test_a_configuration_is_made_where_there_is_none(start: Start, bare: Path):
    client = start(MAKING)
    uri = opened(client, bare, "sampling.py", SAMPLING)
    made, filled = in_project(client, uri)["edit"]["documentChanges"]
    assert made["kind"] == "create" and made["uri"] == filled["textDocument"]["uri"]
    assert made["uri"].endswith("/ddl-lint.toml")
    assert [each["newText"] for each in filled["edits"]] == ['ignore = ["missing-set-epoch"]\n']


def test_a_project_with_a_pyproject_gets_a_table_there(start: Start, bare: Path):
    (bare / "pyproject.toml").write_text('[project]\nname = "x"\n')
    client = start()
    uri = opened(client, bare, "sampling.py", SAMPLING)
    ((changed, edits),) = edits_of(in_project(client, uri)).items()
    assert changed.endswith("/pyproject.toml")
    assert edited('[project]\nname = "x"\n', edits).endswith('\n[tool.ddl-lint]\nignore = ["missing-set-epoch"]\n')


def test_editors_that_make_no_files_are_not_offered_one(start: Start, bare: Path):
    client = start()
    uri = opened(client, bare, "saving.py", SAVING)
    assert actions(client, uri, only=[IN_PROJECT]) == []


def test_nothing_outside_of_the_project_is_changed(start: Start, bare: Path):
    outside = bare.parent / "ddl-lint.toml"
    outside.write_text("pedantic = false\n")
    (bare / ".git").mkdir()
    client = start()
    uri = opened(client, bare, "sampling.py", SAMPLING)
    assert actions(client, uri, only=[IN_PROJECT]) == []


def test_the_user_is_told_why_nothing_is_changed(start: Start, bare: Path):
    (bare / "pyproject.toml").write_text("[tool]\nddl-lint = { pedantic = true }\n")
    client = start(RESOLVING)
    uri = opened(client, bare, "sampling.py", SAMPLING)
    assert "edit" not in client.ask("codeAction/resolve", in_project(client, uri))["result"]
    shown = [each.message for each in client.arrivals if each.message.get("method") == "window/showMessage"]
    (message,) = [each["params"]["message"] for each in shown]
    assert "pyproject.toml cannot be changed by ddl-lint; add `missing-set-epoch` to its key `ignore`" in message
