"""Launch files in an editor: findings, fixes, comments and hovers as in Python files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from asking import actions, codes, edited, edits_of, findings, logged, pulled
from raw_client import PULLING, PUSHING, Message, RawClient
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


BATCH = """#!/bin/bash
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
srun torchrun --nnodes 4 --nproc_per_node 8 \\
    --rdzv_backend c10d --rdzv_endpoint head:29500 train.py
python prepare.py
torchrun --nproc_per_node $COUNT train.py
"""
SHOWING: Message = {**PUSHING, "window": {"showDocument": {"support": True}}}


def lenses(client: RawClient, uri: str) -> list[tuple[int, str]]:
    found = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"]
    return [(lens["range"]["start"]["line"], lens["command"]["title"]) for lens in found]


def test_launch_lines_tell_how_many_ranks_they_start(join: Start, project: Path):
    client = join(SHOWING)
    uri = opened(client, project, "job.sbatch", "plaintext", BATCH)
    ranks = "Show ranks"
    assert lenses(client, uri) == [
        (3, "32 ranks: 4 x 8, train.py"),
        (3, ranks),
        (6, "Ranks not known: train.py"),
        (6, ranks),
    ]
    client.change(uri, 2, {"text": "\n" + BATCH.replace("nproc_per_node 8", "nproc_per_node 2")})
    assert lenses(client, uri)[0] == (4, "8 ranks: 4 x 2, train.py")


def test_what_lenses_run(join: Start, project: Path):
    client = join(SHOWING)
    uri = opened(client, project, "job.sbatch", "plaintext", BATCH)
    found = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"]
    first, second, *_ = (lens["command"] for lens in found)
    assert (first["command"], first["arguments"]) == ("ddl-lint.server.showJobs", [uri, 3])
    assert (second["command"], second["arguments"]) == (
        "ddl-lint.server.showTrace",
        [(project / "train.py").as_uri()],
    )
    client.ask("workspace/executeCommand", first)
    (shown,) = (each.message for each in client.arrivals if each.message.get("method") == "window/showDocument")
    assert shown["params"]["external"] and shown["params"]["uri"].endswith("/jobs.html")


def test_programs_that_start_jobs_have_lenses_too(join: Start, project: Path):
    client = join(SHOWING)
    text = 'import subprocess\n\nsubprocess.run(["torchrun", "--nproc_per_node=4", "train.py"])\n'
    (project / "start.py").write_text(text)
    uri = opened(client, project, "start.py", "python", text)
    assert (2, "4 ranks: 1 x 4, train.py") in lenses(client, uri)


def test_an_editor_that_shows_nothing_gets_no_lenses(join: Start, project: Path):
    client = join()
    uri = opened(client, project, "job.sbatch", "plaintext", BATCH)
    assert lenses(client, uri) == []


def jobs(client: RawClient, *arguments: object) -> Message:
    command = {"command": "ddl-lint.server.jobs", "arguments": [*arguments]}
    return client.ask("workspace/executeCommand", command)


def test_the_table_of_jobs(join: Start, project: Path):
    (project / "other.sh").write_text(GOOD)
    client = join()
    uri = opened(client, project, "job.sbatch", "plaintext", BATCH)
    answer = jobs(client, uri, "json")["result"]
    assert answer["folder"] == project.as_posix()
    rows = json.loads(answer["content"])["jobs"]
    assert [(row["file"], row["line"], row["world_size"]) for row in rows] == [
        ("job.sbatch", 4, 32),
        ("job.sbatch", 6, 1),
        ("job.sbatch", 7, None),
        ("other.sh", 2, 4),
    ]
    page = jobs(client, uri, "html", 3)["result"]["content"]
    (row,) = re.findall(r"<li aria-current=true>.*?</span>", page)
    assert 'data-file="job.sbatch" data-line="4"' in row
    assert 'data-trace="train.py"' in page


def test_the_jobs_of_the_workspace(join: Start, project: Path):
    (project / "job.sbatch").write_text(BATCH)
    client = join()
    rows = json.loads(jobs(client, "", "json")["result"]["content"])["jobs"]
    assert [row["world_size"] for row in rows] == [32, 1, None]
    assert "there is no format `png`" in jobs(client, "", "png")["error"]["message"]
    assert "is no file" in jobs(client, "https://example.org/x.sh")["error"]["message"]


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
