"""Several folders in one window: each is a project of its own, with its own configuration and settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from asking import codes, findings
from raw_client import PULLING, Message, RawClient
from server_programs import SAMPLING, SAVING, TRAINING, UNWRAPPED, WRAP, Start

pytestmark = pytest.mark.slow

UNWRAPPING = TRAINING.replace(WRAP, UNWRAPPED)


@pytest.fixture
def neighbour(project: Path) -> Path:
    """A second folder with the same file names, in which the model is not wrapped, so that nothing is wrong."""
    folder = project.parent / "größe 2"
    folder.mkdir()
    (folder / "ddl-lint.toml").write_text("")
    (folder / "saving.py").write_text(SAVING, encoding="utf-8")
    (folder / "train.py").write_text(UNWRAPPING, encoding="utf-8")
    return folder


def shown(client: RawClient, uri: str) -> list[str]:
    return codes(client.published[uri].message["params"]["diagnostics"])


def workspace(client: RawClient) -> dict[str, list[str]]:
    """The codes of all findings of the workspace, by the end of the path."""
    items = client.ask("workspace/diagnostic", {"previousResultIds": []})["result"]["items"]
    found = {"/".join(item["uri"].split("/")[-2:]): codes(item["items"]) for item in items}
    return {name.replace("gr%C3%B6%C3%9Fe%20", ""): each for name, each in found.items() if each}


def test_files_of_one_name_are_not_taken_for_each_other(start: Start, project: Path, neighbour: Path):
    client = start(beside=[neighbour])
    here, there = (project / "saving.py").as_uri(), (neighbour / "saving.py").as_uri()
    client.open(here, SAVING)
    client.open(there, SAVING)
    findings(client, here, lambda found: codes(found) == ["DDL305"], pulls=False)
    assert client.findings(there).message["params"]["diagnostics"] == []
    # Both programs change into that of the other.
    for number, (folder, text) in enumerate(((project, UNWRAPPING), (neighbour, TRAINING))):
        uri = (folder / "train.py").as_uri()
        client.open(uri, text)
        expected = ["DDL305"] if number else []
        findings(client, (here, there)[number], lambda found, expected=expected: codes(found) == expected, pulls=False)
    assert shown(client, here) == []


def test_each_folder_has_its_own_configuration(start: Start, project: Path, neighbour: Path):
    (neighbour / "ddl-lint.toml").write_text('ignore = ["missing-set-epoch"]\n')
    client = start(beside=[neighbour])
    here, there = (project / "sampling.py").as_uri(), (neighbour / "sampling.py").as_uri()
    client.open(here, SAMPLING)
    client.open(there, SAMPLING)
    findings(client, here, lambda found: codes(found) == ["DDL402"], pulls=False)
    assert client.findings(there).message["params"]["diagnostics"] == []


def test_the_innermost_folder_around_a_file_counts(start: Start, project: Path):
    inner = project / "50%20 inner"  # which is not "50  inner"
    inner.mkdir()
    capabilities: Message = {"workspace": {"configuration": True, "workspaceFolders": True}}

    def settings(uri: str | None) -> Message:
        return {"ignore": ["missing-set-epoch"]} if uri == inner.as_uri() else {}

    for beside in ([inner], [project]):
        root = project if beside == [inner] else inner
        client = start(capabilities, root=root, beside=beside, settings=settings)
        outside, inside = (project / "sampling.py").as_uri(), (inner / "sampling.py").as_uri()
        client.open(inside, SAMPLING)
        client.open(outside, SAMPLING)
        findings(client, outside, lambda found: codes(found) == ["DDL402"], pulls=False)
        findings(client, inside, lambda found: not found, pulls=False)


def test_the_workspace_is_all_folders_that_are_in_it(start: Start, project: Path, neighbour: Path):
    (neighbour / "sampling.py").write_text(SAMPLING)
    client = start(PULLING, beside=[neighbour])
    assert workspace(client) == {"1/saving.py": ["DDL305"], "2/sampling.py": ["DDL402"]}
    event = {"added": [], "removed": [{"uri": project.as_uri(), "name": "1"}]}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    assert workspace(client) == {"2/sampling.py": ["DDL402"]}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": event["removed"], "removed": []}})
    assert workspace(client) == {"1/saving.py": ["DDL305"], "2/sampling.py": ["DDL402"]}
