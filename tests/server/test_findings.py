"""From texts to findings, pushed and pulled: the editor shows what `ddl-lint check` finds in the folder."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from lsprotocol import types

from asking import codes, edited, findings, pulled
from ddl_lint.source import ColumnUnit, Document
from ddl_lint_server.texts import offset_at
from raw_client import PULLING, PUSHING, Message
from server_programs import FAULT, SAMPLING, SAVING, TRAINING, UNWRAPPED, WRAP, Start

pytestmark = pytest.mark.slow

DEPRECATED = """\
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
x, everything = torch.ones(1), torch.ones(dist.get_world_size())
dist._all_gather_base(everything, x)
print(everything)
dist.destroy_process_group()
"""
"""Calls a function by a name that still works."""

RELATED = {
    "textDocument": {
        "publishDiagnostics": {
            "relatedInformation": True,
            "codeDescriptionSupport": True,
            "dataSupport": True,
            "tagSupport": {"valueSet": [1, 2]},
        }
    }
}


def is_pull(capabilities: Message) -> bool:
    return "diagnostic" in capabilities["textDocument"]


def test_a_fault_that_two_files_show(join: Start, project: Path, capabilities: Message):
    client = join(capabilities)
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    (found,) = findings(client, uri, bool, pulls=is_pull(capabilities))
    assert (found["code"], found["source"]) == ("DDL305", "ddl-lint")


def test_a_change_beside_it_takes_the_fault_away_and_brings_it_back(join: Start, project: Path, capabilities: Message):
    client = join(capabilities)
    uri, other = (project / "saving.py").as_uri(), (project / "train.py").as_uri()
    client.open(uri, SAVING)
    client.open(other, TRAINING)
    findings(client, uri, bool, pulls=is_pull(capabilities))
    client.change(other, 2, {"text": TRAINING.replace(WRAP, UNWRAPPED)})
    findings(client, uri, lambda found: not found, pulls=is_pull(capabilities))
    client.change(other, 3, {"text": TRAINING})
    findings(client, uri, bool, pulls=is_pull(capabilities))


def test_a_closed_file_counts_as_it_is_on_the_disk(join: Start, project: Path):
    client = join()
    uri, other = (project / "saving.py").as_uri(), (project / "train.py").as_uri()
    client.open(other, TRAINING.replace(WRAP, UNWRAPPED))
    client.open(uri, SAVING)
    client.wait(lambda: uri in client.published and other in client.published, "findings for both")
    client.close(other)
    findings(client, uri, bool, pulls=False)
    assert client.published[other].message["params"]["diagnostics"] == []


def test_the_text_of_the_editor_counts_and_not_the_disk(join: Start, project: Path, capabilities: Message):
    client = join(capabilities)
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, bool, pulls=is_pull(capabilities))
    client.change(uri, 2, {"text": SAVING.replace(FAULT, "network.module.state_dict()")})
    findings(client, uri, lambda found: not found, pulls=is_pull(capabilities))


@pytest.mark.parametrize("unit", ColumnUnit)
def test_positions_in_each_unit_with_odd_letters_above(join: Start, project: Path, unit: ColumnUnit):
    client = join(encoding=unit.value)
    uri = (project / "saving.py").as_uri()
    text = SAVING.replace("import torch\n", "import torch\n\f\n# \u2028 \x1c läuft\n")
    client.open(uri, text)
    (found,) = findings(client, uri, bool, pulls=False)
    document = Document("a", text)
    start_offset, end_offset = (
        offset_at(document, types.Position(found["range"][side]["line"], found["range"][side]["character"]), unit)
        for side in ("start", "end")
    )
    assert text[start_offset:end_offset] == FAULT


@pytest.mark.parametrize("unit", ColumnUnit)
def test_incremental_edits_keep_the_texts_equal(join: Start, project: Path, unit: ColumnUnit):
    client = join(encoding=unit.value)
    uri = (project / "saving.py").as_uri()
    text = "# \f 🚀\r\n" + SAVING
    client.open(uri, text)
    findings(client, uri, bool, pulls=False)
    line = text.splitlines().index('    torch.save({"🚀": 1, "network": network.state_dict()}, path)') - 1
    width = {"utf-8": 4, "utf-16": 2, "utf-32": 1}[unit.value]
    column = 4 + len('torch.save({"') + width
    edit = {
        "range": {"start": {"line": line, "character": column}, "end": {"line": line, "character": column}},
        "text": "🚀ß",
    }
    client.change(uri, 2, edit)
    found = client.findings(uri, 2).message["params"]["diagnostics"]
    changed = edited(text, [{"range": edit["range"], "newText": edit["text"]}], unit)
    assert '"🚀🚀ß": 1' in changed
    (place,) = [each["range"]["start"] for each in found]
    offset = offset_at(Document("a", changed), types.Position(place["line"], place["character"]), unit)
    assert changed[offset:].startswith(FAULT)


def test_evidence_link_and_data_for_clients_that_take_them(join: Start, project: Path):
    client = join(RELATED)
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    (found,) = findings(client, uri, bool, pulls=False)
    (related,) = found["relatedInformation"]
    assert related["location"]["uri"] == (project / "train.py").as_uri()
    assert TRAINING.splitlines()[related["location"]["range"]["start"]["line"]].strip().endswith(WRAP)
    assert found["codeDescription"]["href"].startswith("file:") and found["data"]


def test_evidence_in_the_message_for_clients_that_do_not(start: Start, project: Path):
    client = start({"textDocument": {"publishDiagnostics": {}}})
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    (found,) = findings(client, uri, bool, pulls=False)
    assert "train.py:17: the model is wrapped here" in found["message"]
    assert not {"relatedInformation", "codeDescription", "data", "tags"} & found.keys()


def test_a_comment_that_hides_nothing_is_marked_as_unnecessary(join: Start, project: Path):
    client = join(RELATED)
    uri = (project / "saving.py").as_uri()
    client.open(uri, "x = 1  # ddl-lint: ignore[missing-set-epoch]\n")
    (found,) = findings(client, uri, bool, pulls=False)
    assert (found["code"], found["tags"]) == ("DDL004", [1])


def test_what_is_deprecated_is_marked_so(start: Start, project: Path):
    client = start(RELATED, options={"pedantic": True})
    (project / "requirements.txt").write_text("torch==2.4.0\n")
    uri = (project / "gathering.py").as_uri()
    client.open(uri, DEPRECATED)
    (found,) = findings(client, uri, bool, pulls=False)
    assert (found["code"], found["tags"]) == ("DDL212", [2])


def test_who_pulls_is_not_pushed_to(join: Start, project: Path):
    client = join(PULLING)
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, bool, pulls=True)
    client.close(uri)
    assert pulled(client, uri)["items"] == []
    assert not client.published


def test_who_is_pushed_to_cannot_pull(join: Start, project: Path):
    client = join(PUSHING)
    assert client.ask("textDocument/diagnostic", {"textDocument": {"uri": "file:///a.py"}})["error"]["code"] == -32601


def test_equal_findings_are_not_sent_twice_to_who_pulls(join: Start, project: Path):
    client = join(PULLING)
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, bool, pulls=True)
    first = pulled(client, uri)
    again = pulled(client, uri, first["resultId"])
    assert again == {"kind": "unchanged", "resultId": first["resultId"]}
    client.change(uri, 2, {"text": "\n" + SAVING})
    moved = pulled(client, uri, first["resultId"])
    assert moved["kind"] == "full"
    assert moved["items"][0]["range"]["start"]["line"] == first["items"][0]["range"]["start"]["line"] + 1


def test_who_cannot_be_asked_to_ask_again_is_told(start: Start, project: Path):
    client = start({"textDocument": {"diagnostic": {}}})
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    assert codes(findings(client, uri, lambda found: len(found) == 1, pulls=False)) == ["DDL305"]


def test_versions_go_along_with_what_is_pushed(join: Start, project: Path):
    client = join()
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING, version=41)
    client.findings(uri, 41)
    client.change(uri, 43, {"text": SAVING + "\n"})
    client.findings(uri, 43)


def test_a_broken_statement_costs_only_itself(join: Start, project: Path):
    client = join()
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING + "\n\ndef broken(:\n")
    found = findings(client, uri, lambda found: len(found) == 2, pulls=False)
    assert sorted(codes(found)) == ["DDL001", "DDL305"]


def test_a_burst_of_keys_ends_with_the_last_text(start: Start, project: Path):
    client = start(options={"debounce": 0.1})
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    for version in range(2, 40):
        place = {"line": 0, "character": 0}
        client.change(uri, version, {"range": {"start": place, "end": place}, "text": "\n"})
    client.findings(uri, 39)
    (found,) = findings(client, uri, bool, pulls=False)
    assert found["range"]["start"]["line"] == 6 + 38
    versions = [
        arrival.message["params"]["version"]
        for arrival in client.arrivals
        if arrival.message.get("method") == "textDocument/publishDiagnostics"
    ]
    assert versions == sorted(versions)


def test_an_unsaved_buffer_is_checked(join: Start, capabilities: Message):
    client = join(capabilities)
    client.open("untitled:Untitled-1", SAMPLING)
    found = findings(client, "untitled:Untitled-1", bool, pulls=is_pull(capabilities))
    assert len(found) == 1


def test_other_languages_are_left_alone(join: Start, project: Path):
    client = join(PULLING)
    uri = (project / "notes.md").as_uri()
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": "# import torch\n"}
    client.notify("textDocument/didOpen", {"textDocument": item})
    assert pulled(client, uri)["items"] == []


def test_a_file_outside_of_all_projects_is_checked_by_itself(join: Start, tmp_path: Path):
    lonely = tmp_path / "lonely"
    lonely.mkdir()
    (lonely / "saving.py").write_text(SAVING, encoding="utf-8")
    (lonely / "train.py").write_text(TRAINING, encoding="utf-8")
    (lonely / "sampling.py").write_text(SAMPLING, encoding="utf-8")
    client = join()
    client.open((lonely / "sampling.py").as_uri(), SAMPLING)
    client.open((lonely / "saving.py").as_uri(), SAVING)
    findings(client, (lonely / "sampling.py").as_uri(), bool, pulls=False)
    findings(client, (lonely / "saving.py").as_uri(), lambda found: not found, pulls=False)


def test_excluded_files_show_nothing_as_in_the_folder(join: Start, project: Path):
    (project / "ddl-lint.toml").write_text('exclude = ["sampling.py"]\n')
    (project / "sampling.py").write_text(SAMPLING)
    client = join()
    uri = (project / "sampling.py").as_uri()
    client.open(uri, SAMPLING)
    assert client.findings(uri).message["params"]["diagnostics"] == []


def test_a_new_file_of_a_project_belongs_to_it_before_it_is_saved(join: Start, project: Path):
    (project / "train.py").unlink()
    client = join()
    uri, other = (project / "saving.py").as_uri(), (project / "train.py").as_uri()
    client.open(uri, SAVING)
    client.findings(uri)
    client.open(other, TRAINING)
    findings(client, uri, bool, pulls=False)


def test_files_that_appear_and_go_are_noticed(join: Start, project: Path, capabilities: Message):
    training = project / "train.py"
    training.unlink()
    client = join(capabilities)
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, lambda found: not found, pulls=is_pull(capabilities))
    training.write_text(TRAINING, encoding="utf-8")
    told = {"changes": [{"uri": training.as_uri(), "type": 1}]}
    client.notify("workspace/didChangeWatchedFiles", told)
    findings(client, uri, bool, pulls=is_pull(capabilities))
    training.unlink()
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": training.as_uri(), "type": 3}]})
    findings(client, uri, lambda found: not found, pulls=is_pull(capabilities))


def test_files_are_watched_if_the_client_can(start: Start, project: Path):
    watching: Message = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    client = start(watching)
    client.wait(
        lambda: any(arrival.message.get("method") == "client/registerCapability" for arrival in client.arrivals),
        "a registration",
    )
    (told,) = [each.message for each in client.arrivals if each.message.get("method") == "client/registerCapability"]
    (registration,) = told["params"]["registrations"]
    assert registration["method"] == "workspace/didChangeWatchedFiles"
    globs = [watcher["globPattern"] for watcher in registration["registerOptions"]["watchers"]]
    assert "py" in globs[0] and "toml" in globs[0] and "sh" in globs[0]


def test_the_whole_workspace(join: Start, project: Path):
    (project / "sampling.py").write_text(SAMPLING)
    client = join(PULLING)
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING, version=5)
    report = client.ask("workspace/diagnostic", {"previousResultIds": [], "workDoneToken": "scan"})["result"]
    items = {item["uri"]: item for item in report["items"]}
    assert codes(items[uri]["items"]) == ["DDL305"] and items[uri]["version"] == 5
    sampling = items[(project / "sampling.py").as_uri()]
    assert len(sampling["items"]) == 1 and sampling["version"] is None
    kinds = [
        arrival.message["params"]["value"]["kind"]
        for arrival in client.arrivals
        if arrival.message.get("method") == "$/progress"
    ]
    assert kinds[0] == "begin" and kinds[-1] == "end" and "report" in kinds

    previous = [{"uri": item["uri"], "value": item["resultId"]} for item in report["items"]]
    again = client.ask("workspace/diagnostic", {"previousResultIds": previous})["result"]
    assert {item["kind"] for item in again["items"]} == {"unchanged"}

    (project / "sampling.py").unlink()
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": sampling["uri"], "type": 3}]})
    later = client.ask("workspace/diagnostic", {"previousResultIds": previous})["result"]
    gone = {item["uri"]: item for item in later["items"]}[sampling["uri"]]
    assert (gone["kind"], gone["items"]) == ("full", [])


def test_a_scan_of_the_workspace_can_be_broken_off(join: Start, project: Path):
    for number in range(60):  # enough for the messages that follow to be read meanwhile, also under load
        folder = project / f"part{number}"
        folder.mkdir()
        (folder / "ddl-lint.toml").write_text("")
        (folder / "sampling.py").write_text(SAMPLING)
    client = join(PULLING)
    number = client.request("workspace/diagnostic", {"previousResultIds": [], "workDoneToken": "scan"})
    client.notify("$/cancelRequest", {"id": number})
    assert client.answer(number).message["error"]["code"] == -32800
    # Both in one go: the second one may well be read before the work has begun.
    number = client.number()
    client.send(
        {
            "id": number,
            "method": "workspace/diagnostic",
            "params": {"previousResultIds": [], "workDoneToken": "more"},
        },
        {"method": "window/workDoneProgress/cancel", "params": {"token": "more"}},
    )
    assert client.answer(number).message["error"]["code"] == -32800
    report = client.ask("workspace/diagnostic", {"previousResultIds": []})["result"]
    assert len(report["items"]) >= 61


def test_nothing_of_a_closed_document_is_published(join: Start, project: Path):
    client = join()
    uri = (project / "saving.py").as_uri()
    for round in range(5):
        client.open(uri, SAVING, version=round)
        time.sleep(0.01 * round)
        client.close(uri)
    client.open(uri, SAVING, version=99)
    client.findings(uri, 99)
    client.close(uri)
    client.wait(lambda: "version" not in client.published[uri].message["params"], "the findings to be cleared")
    assert client.published[uri].message["params"]["diagnostics"] == []


def test_a_scan_tells_nothing_of_a_text_that_is_gone(join: Start, project: Path):
    for number in range(6):
        folder = project / f"part{number}"
        folder.mkdir()
        (folder / "ddl-lint.toml").write_text("")
        (folder / "sampling.py").write_text(SAMPLING)
    client = join(PULLING)
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, bool, pulls=True)
    number = client.request("workspace/diagnostic", {"previousResultIds": [{"uri": uri, "value": "old"}]})
    client.change(uri, 2, {"text": "\n" + SAVING})
    report = client.answer(number).message["result"]
    told = [item for item in report["items"] if item["uri"] == uri]
    assert all(item["items"][0]["range"]["start"]["line"] == 7 for item in told)
    later = client.ask("workspace/diagnostic", {"previousResultIds": []})["result"]
    (item,) = [item for item in later["items"] if item["uri"] == uri]
    assert item["version"] == 2 and item["items"][0]["range"]["start"]["line"] == 7


def test_many_open_files_are_all_checked(join: Start, project: Path):
    client = join()
    uris = [(project / f"sampling{number}.py").as_uri() for number in range(40)]
    for uri in uris:
        client.open(uri, SAMPLING)
    for uri in uris:
        findings(client, uri, bool, pulls=False)
    client.change(uris[0], 2, {"text": "\n" + SAMPLING})
    assert len(client.findings(uris[0], 2).message["params"]["diagnostics"]) == 1


def test_equal_findings_are_not_pushed_twice(join: Start, project: Path):
    client = join()
    uri, other = (project / "saving.py").as_uri(), (project / "train.py").as_uri()
    client.open(uri, SAVING)
    client.open(other, TRAINING)
    findings(client, uri, bool, pulls=False)
    for version in range(2, 6):
        client.change(other, version, {"text": TRAINING + "\n" * version})
        client.findings(other, version)
    told = [
        arrival.message["params"]
        for arrival in client.arrivals
        if arrival.message.get("method") == "textDocument/publishDiagnostics"
    ]
    assert len([each for each in told if each["uri"] == uri]) <= 2


def test_a_long_scan_has_a_progress_bar_if_the_client_can_show_one(start: Start, project: Path):
    for number in range(25):
        folder = project / f"part{number}"
        folder.mkdir()
        (folder / "ddl-lint.toml").write_text("")
        for script in range(8):
            (folder / f"sampling{script}.py").write_text(SAMPLING.replace("network", f"network{script}"))
    client = start({**PULLING, "window": {"workDoneProgress": True}})
    report = client.ask("workspace/diagnostic", {"previousResultIds": []})["result"]
    assert len(report["items"]) > 200
    created = [each for each in client.arrivals if each.message.get("method") == "window/workDoneProgress/create"]
    kinds = [
        each.message["params"]["value"]["kind"]
        for each in client.arrivals
        if each.message.get("method") == "$/progress"
    ]
    # A machine that needs less than a second shows none; whatever was begun has ended.
    assert kinds.count("begin") == kinds.count("end") <= len(created)


def test_a_client_to_which_findings_are_sent_is_told_that_its_project_is_read(start: Start, project: Path):
    client = start({**PUSHING, "window": {"workDoneProgress": True}})
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, lambda found: codes(found) == ["DDL305"], pulls=False)
    client.ask("workspace/executeCommand", {"command": "ddl-lint.server.debugInformation"})  # after what is under way
    told = [each.message["params"] for each in client.arrivals if each.message.get("method") == "$/progress"]
    for token in {each["token"] for each in told}:
        kinds = [each["value"]["kind"] for each in told if each["token"] == token]
        assert kinds == ["begin", "end"]
        assert "cancellable" not in told[0]["value"] or not told[0]["value"]["cancellable"]


def test_a_saved_configuration_counts_for_who_does_not_watch_files(join: Start, project: Path):
    client = join()
    uri, configuration = (project / "saving.py").as_uri(), project / "ddl-lint.toml"
    client.open(uri, SAVING)
    findings(client, uri, bool, pulls=False)
    configuration.write_text('ignore = ["DDL305"]\n')
    client.notify("textDocument/didSave", {"textDocument": {"uri": configuration.as_uri()}})
    findings(client, uri, lambda found: not found, pulls=False)
