"""`ddl-lint diagnose`: from the command line to the answer."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ddl_lint.commands.main import main

SCRIPT = """\
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
total = torch.ones(())
if dist.get_rank() == 0:
    dist.all_reduce(total)
dist.destroy_process_group()
"""

LOG = """\
[rank0]: Traceback (most recent call last):
[rank0]:   File "/cluster/jane/train.py", line 7, in <module>
[rank0]:     dist.all_reduce(total)
[rank0]: RuntimeError: [pair.cc:553] Connection closed by peer [10.1.2.3]:25999.
"""


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a script and the log of its job; the working directory."""
    (tmp_path / "train.py").write_text(SCRIPT)
    (tmp_path / "job.log").write_text(LOG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_first_lines_say_what_to_know(job: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["diagnose", "job.log"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Hang: rank 0 waited in `all_reduce` for a rank whose process had ended"
    assert lines[1].strip().startswith("train.py:7: Hang: only rank 0 calls `all_reduce`")
    text = "\n".join(lines)
    order = ["  rank 0", "Where the ranks part: train.py:7", "What the ranks do", "The fix", "How sure: Sure"]
    assert [text.index(each) for each in order] == sorted(text.index(each) for each in order)
    assert "job.log:4" in text


def test_json(job: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["diagnose", "job.log", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["version"] == 1
    assert (found["kind"], found["certainty"], found["blame"]) == ("peer-gone", "sure", "code")
    first = found["candidates"][0]
    assert (first["file"], first["line"], first["rule"]["name"]) == ("train.py", 7, "collective-under-rank-guard")
    assert found["quotes"][0]["line"] == 4


def test_a_page_keeps_addresses_and_folders_to_itself(job: Path):
    assert main(["diagnose", "job.log", "--format", "html", "--output-file", "answer.html"]) == 0
    page = (job / "answer.html").read_text(encoding="utf-8")
    assert "only rank 0 calls <code>all_reduce</code>" in page
    assert "10.1.2.3" not in page
    assert "<svg" in page
    assert main(["diagnose", "job.log", "--format", "html", "--no-redact", "--output-file", "answer.html"]) == 0
    assert "10.1.2.3" in (job / "answer.html").read_text(encoding="utf-8")


def test_standard_input(job: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(LOG.encode())))
    assert main(["diagnose", "-", "--redact"]) == 0
    out = capsys.readouterr().out
    assert "stdin:4" in out
    assert "10.1.2.3" not in out


def test_a_folder_of_code_that_is_elsewhere(
    job: Path,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert main(["diagnose", str(job / "job.log"), "--code", str(job)]) == 0
    assert "DDL502" in capsys.readouterr().out
    for format in ("html", "json"):
        assert main(["diagnose", str(job / "job.log"), "--code", str(job), "--redact", "--format", format]) == 0
        assert str(job.parent) not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing.log"], "there is no such file or folder"),
        (["job.log", "--code", "nowhere"], "--code nowhere: there is no such file or folder"),
    ],
)
def test_misuse(words: list[str], said: str, job: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["diagnose", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_log_that_cannot_be_read_beside_one_that_can(job: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["diagnose", "job.log", "nothing.log"]) == 2
    assert "Not read: nothing.log: there is no such file or folder" in capsys.readouterr().out


def test_the_job_that_is_named_is_shown(job: Path, capsys: pytest.CaptureFixture[str]):
    (job / "run.sh").write_text("torchrun --nproc_per_node=4 train.py\n")
    assert main(["diagnose", "job.log", "--job", "run.sh:1", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["job"] == "run.sh:1"


def test_a_job_that_is_not_there_is_misuse(job: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["diagnose", "job.log", "--job", "run.sh"]) == 2
    assert "--job run.sh: no launch of the code is there" in capsys.readouterr().err
