"""The log of a job that died, asked for in an editor."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from ddl_lint.registry.rules import load_rules
from ddl_lint_server.checker import Checker
from ddl_lint_server.messages import Diagnose, SvgAnswer, TextAnswer
from raw_client import Message, RawClient
from server_programs import Start

HANGING = """\
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    loss = torch.ones(1)
    if dist.get_rank() == 0:
        dist.all_reduce(loss)
    dist.destroy_process_group()


main()
"""
LOG = """\
[rank0]: Traceback (most recent call last):
[rank0]:   File "{file}", line 13, in <module>
[rank0]:     main()
[rank0]:   File "{file}", line 9, in main
[rank0]:     dist.all_reduce(loss)
[rank0]:   File "/usr/lib/python3/dist-packages/torch/distributed/distributed_c10d.py", line 2400, in all_reduce
[rank0]:     work.wait()
[rank0]: RuntimeError: [../gloo/transport/tcp/pair.cc:598] Connection closed by peer [10.0.0.7]:40112
"""


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """A project with a script and the log of its job."""
    folder = tmp_path / "job"
    (folder / "logs").mkdir(parents=True)
    (folder / "ddl-lint.toml").touch()
    (folder / "fit.py").write_text(HANGING)
    (folder / "logs" / "slurm-1.out").write_text(LOG.format(file=folder / "fit.py"))
    return folder


def diagnose(client: RawClient, *arguments: object) -> Message:
    command = {"command": "ddl-lint.server.diagnose", "arguments": [*arguments]}
    return client.ask("workspace/executeCommand", command)


def test_a_page_leads_from_the_log_to_the_line(job: Path):
    answer = Checker(load_rules()).answer(Diagnose((job / "logs" / "slurm-1.out").as_posix(), job.as_posix()))
    assert isinstance(answer, SvgAnswer) and answer.folder == job.as_posix()
    places = re.findall(r'data-file="([^"]*)" data-line="(\d+)"', answer.content)
    assert (html.escape(str(job / "fit.py")), "9") in places
    assert any(file.endswith("slurm-1.out") for file, _ in places)
    assert "collective-under-rank-guard" in answer.content


def test_what_is_no_log(job: Path):
    answer = Checker(load_rules()).answer(Diagnose((job / "missing.log").as_posix(), job.as_posix()))
    assert isinstance(answer, TextAnswer) and answer.is_fault and "cannot be read" in answer.text


@pytest.mark.slow
def test_the_command(start: Start, job: Path):
    client = start(root=job)
    log = (job / "logs" / "slurm-1.out").as_uri()
    page = diagnose(client, log)["result"]
    assert page["folder"] == job.as_posix() and 'data-line="9"' in page["content"]
    assert diagnose(client, log, job.as_uri())["result"]["content"] == page["content"]


@pytest.mark.slow
def test_the_code_is_looked_for_in_the_workspace_only(start: Start, job: Path, tmp_path: Path):
    client = start(root=job)
    log = (job / "logs" / "slurm-1.out").as_uri()
    assert "in a folder of the workspace" in diagnose(client, log, tmp_path.as_uri())["error"]["message"]
    assert "is no file" in diagnose(client, "https://example.org/job.log")["error"]["message"]
