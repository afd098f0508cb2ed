"""Launch files in an editor: findings, fixes, comments and hovers as in Python files."""

from __future__ import annotations

from pathlib import Path

import pytest

from asking import actions, codes, edited, edits_of, findings, logged, pulled
from raw_client import PULLING, Message, RawClient
from server_programs import SAMPLING, SAVING, Start

pytestmark = pytest.mark.slow

LAUNCH = """#!/bin/bash
torchrun \\
    --nproc_per_nodes 4 \\
    train.py
"""
"""Misspells an option, and goes on after backslashes."""

GOOD = LAUNCH.replace("per_nodes", "per_node")
CONFIGURATION = '{"zero_optimization": {"stage": 7}}\n'


def opened(client: RawClient, project: Path, name: str, language: str, text: str) -> str:
    """Open a file that is not Python."""
    uri = (project / name).as_uri()
    item = {"uri": uri, "languageId": language, "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": item})
    return uri


def is_pull(capabilities: Message) -> bool:
    return "diagnostic" in capabilities["textDocument"]


def test_the_text_of_the_editor_counts(join: Start, project: Path, capabilities: Message):
    (project / "run.sh").write_text(GOOD)
    client = join(capabilities)
    uri = opened(client, project, "run.sh", "shellscript", LAUNCH)
    (found,) = findings(client, uri, bool, pulls=is_pull(capabilities))
    assert (found["code"], found["range"]["start"]) == ("DDL602", {"line": 2, "character": 4})
    client.change(uri, 2, {"text": GOOD})
    findings(client, uri, lambda found: not found, pulls=is_pull(capabilities))
    client.change(uri, 3, {"text": LAUNCH})
    findings(client, uri, bool, pulls=is_pull(capabilities))


def test_a_file_that_is_not_on_the_disk_yet(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "run.sh", "shellscript", LAUNCH)
    assert codes(findings(client, uri, bool, pulls=False)) == ["DDL602"]


def test_a_fix_a_comment_and_a_hover(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "run.sh", "shellscript", LAUNCH)
    (found,) = findings(client, uri, bool, pulls=False)
    fix, silence, *_ = actions(client, uri)
    assert edited(LAUNCH, edits_of(fix)[uri]) == GOOD
    silenced = edited(LAUNCH, edits_of(silence)[uri])
    comment = "# ddl-lint: ignore[launcher-option-unknown]\n"
    assert silenced == LAUNCH.replace("torchrun", f"{comment}torchrun")
    place = {"textDocument": {"uri": uri}, "position": found["range"]["start"]}
    assert "DDL602" in client.ask("textDocument/hover", place)["result"]["contents"]["value"]
    elsewhere = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 2}}
    assert client.ask("textDocument/hover", elsewhere)["result"] is None
    client.change(uri, 2, {"text": silenced})
    findings(client, uri, lambda found: not found, pulls=False)


def test_all_safe_fixes(join: Start, project: Path):
    client = join()
    text = LAUNCH.replace("torchrun", "# ddl-lint: ignore[missing-set-epoch, launcher-option-unknown]\ntorchrun")
    uri = opened(client, project, "run.sh", "shellscript", text)
    assert codes(findings(client, uri, bool, pulls=False)) == ["DDL004"]
    (action,) = actions(client, uri, only=["source.fixAll"])
    assert edited(text, edits_of(action)[uri]) == text.replace("missing-set-epoch, ", "")


def test_no_comment_is_offered_where_none_can_stand(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "ds_config.json", "json", CONFIGURATION)
    assert codes(findings(client, uri, bool, pulls=False)) == ["DDL644"]
    assert not [each for each in actions(client, uri) or () if each["kind"] == "quickfix.suppress.ddl-lint"]


@pytest.mark.parametrize(
    ("name", "language", "text"),
    [("notes.yaml", "yaml", "a: 1\n"), ("data.json", "json", '{"a": 1}\n'), ("notes.txt", "plaintext", LAUNCH)],
)
def test_what_says_nothing_of_a_launch_gets_nothing(start: Start, project: Path, name: str, language: str, text: str):
    client = start()
    uri = opened(client, project, name, language, text)
    client.change(uri, 2, {"text": text * 2})
    assert actions(client, uri) is None
    sampling = (project / "sampling.py").as_uri()
    client.open(sampling, SAMPLING)
    findings(client, sampling, bool, pulls=False)
    assert uri not in client.published and not logged(client)


def test_what_begins_to_speak_of_a_launch_is_checked_until_it_is_closed(
    join: Start, project: Path, capabilities: Message
):
    (project / "ds_config.json").write_text(CONFIGURATION)
    client = join(capabilities)
    uri = opened(client, project, "ds_config.json", "json", "{}\n")
    client.change(uri, 2, {"text": CONFIGURATION})
    findings(client, uri, bool, pulls=is_pull(capabilities))
    client.change(uri, 3, {"text": "{}\n"})
    findings(client, uri, lambda found: not found, pulls=is_pull(capabilities))


def test_a_change_of_a_program_shows_in_its_launch_line(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "run.sh", "shellscript", GOOD.replace("train.py", "trian.py"))
    assert codes(findings(client, uri, bool, pulls=False)) == ["DDL651"]
    (project / "trian.py").write_text("import torch\n")
    changes = [{"uri": (project / "trian.py").as_uri(), "type": 1}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    findings(client, uri, lambda found: not found, pulls=False)


LOCAL = """import argparse

import torch
import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int)
options = parser.parse_args()
dist.init_process_group("nccl")
torch.cuda.set_device(options.local_rank)
"""


def test_a_change_of_a_launch_line_shows_in_its_program(join: Start, project: Path):
    (project / "train.py").write_text(LOCAL)
    (project / "run.sh").write_text(GOOD)
    client = join()
    program = (project / "train.py").as_uri()
    client.open(program, LOCAL)
    findings(client, program, bool, pulls=False)
    launch = opened(client, project, "run.sh", "shellscript", GOOD)
    client.change(launch, 2, {"text": "deepspeed --num_gpus 4 train.py\n"})
    findings(client, program, lambda found: not found, pulls=False)


def test_a_saved_version_counts_for_the_others(join: Start, project: Path, capabilities: Message):
    new, old = "torch==2.4.0\n", "torch==1.10.0\n"
    (project / "requirements.txt").write_text(new)
    client = join(capabilities)
    pinning = opened(client, project, "requirements.txt", "pip-requirements", new)
    launch = opened(client, project, "run.sh", "shellscript", GOOD.replace("_", "-"))
    findings(client, launch, lambda found: not found, pulls=is_pull(capabilities))
    client.change(pinning, 2, {"text": old})
    (project / "requirements.txt").write_text(old)
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": pinning, "type": 2}]})
    assert codes(findings(client, launch, bool, pulls=is_pull(capabilities))) == ["DDL602"]


def test_the_whole_workspace(join: Start, project: Path):
    (project / "run.sh").write_text(LAUNCH)
    (project / "ds_config.json").write_text(CONFIGURATION)
    (project / "notes.yaml").write_text("a: 1\n")
    client = join(PULLING)
    client.open((project / "saving.py").as_uri(), SAVING)
    report = client.ask("workspace/diagnostic", {"previousResultIds": []})["result"]
    found = {item["uri"]: codes(item["items"]) for item in report["items"]}
    assert found[(project / "run.sh").as_uri()] == ["DDL602"]
    assert found[(project / "ds_config.json").as_uri()] == ["DDL644"]
    assert (project / "notes.yaml").as_uri() not in found
    assert pulled(client, (project / "notes.yaml").as_uri())["items"] == []
