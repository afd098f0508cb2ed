"""Logs of one of several jobs that a project launches."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.check.traced_program import TraceError
from ddl_lint.diagnose import Answer, diagnose, read_code
from ddl_lint.registry.rules import Installed

TRAIN = """\
import argparse

import torch
import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--phase", default="train")
parser.add_argument("--lr", type=float, default=0.1)
args = parser.parse_args()
dist.init_process_group("nccl")
total = torch.ones(1, device="cuda")
if args.phase == "test":
    if dist.get_rank() == 0:
        dist.all_reduce(total)
else:
    if dist.get_rank() == 1:
        dist.all_reduce(total)
"""
WAITS = (
    "world_size=2\n[rank0]:[E1126 10:00:00.1 ProcessGroupNCCL.cpp:632] [Rank 0] Watchdog caught collective operation "
    "timeout: WorkNCCL(SeqNum=1, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600011 "
    "milliseconds before timing out.\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A script with two phases, each of which has its fault, and a launch for each of them."""
    folder = tmp_path / "project"
    (folder / "jobs").mkdir(parents=True)
    (folder / "train.py").write_text(TRAIN)
    (folder / "jobs" / "train.sh").write_text("torchrun --nproc_per_node=2 train.py --phase train --lr 0.5\n")
    (folder / "jobs" / "test.sh").write_text("torchrun --nproc_per_node=2 train.py --phase test --lr 0.5\n")
    return folder


def lines(answer: Answer) -> list[int]:
    return [each.spot.line for each in answer.candidates]


def ask(tmp_path: Path, project: Path, installed: Installed, log: str, job: str = "") -> Answer:
    file = tmp_path / "job.log"
    file.write_text(log)
    code = read_code(project, installed)
    return diagnose([str(file)], code.of_job(code.named_job(job)) if job else code, installed)


def test_without_a_job_both_lines_may_be_it(tmp_path: Path, project: Path, installed: Installed):
    found = ask(tmp_path, project, installed, WAITS)
    assert {14, 17} <= set(lines(found))
    assert found.job == ""


@pytest.mark.parametrize(("job", "line", "other"), [("train.sh", 17, 14), ("jobs/test.sh:1", 14, 17)])
def test_a_job_that_is_named_decides(
    job: str, line: int, other: int, tmp_path: Path, project: Path, installed: Installed
):
    found = ask(tmp_path, project, installed, WAITS, job)
    assert lines(found)[0] == line
    assert other not in lines(found)
    assert found.job.startswith("jobs/")


@pytest.mark.parametrize(
    "command",
    [
        "+ torchrun --nproc_per_node=2 train.py --phase test --lr 0.5",
        "[launch.py:3:x] ['python', '-u', 'train.py', '--local_rank=1', '--phase', 'test', '--lr', '0.5'] exits with "
        "return code = -6",
        "subprocess.CalledProcessError: Command '['/opt/bin/python3', '/home/me/project/train.py', '--phase=test', "
        "'--lr=0.5']' returned non-zero exit status 1.",
        "[2024-01-03 10:00:00,1] [INFO] [runner.py:610:main] cmd = /opt/bin/python3 -u -m deepspeed.launcher.launch "
        "--world_info=abc train.py --phase test --lr 0.5",
    ],
)
def test_the_command_in_the_log_names_the_job(command: str, tmp_path: Path, project: Path, installed: Installed):
    found = ask(tmp_path, project, installed, f"{command}\n{WAITS}")
    assert found.job == "jobs/test.sh:1"
    assert lines(found)[0] == 14
    assert 17 not in lines(found)
    assert any("jobs/test.sh:1" in each for each in found.because)


def test_a_command_that_no_launch_gives_names_none(tmp_path: Path, project: Path, installed: Installed):
    command = "+ torchrun --nproc_per_node=2 train.py --phase both --lr 0.5"
    assert ask(tmp_path, project, installed, f"{command}\n{WAITS}").job == ""


def test_a_command_that_fits_two_launches_names_none(tmp_path: Path, project: Path, installed: Installed):
    (project / "again.sh").write_text("torchrun --nproc_per_node=4 train.py --phase test --lr 0.5\n")
    command = "+ torchrun --nproc_per_node=2 train.py --phase test --lr 0.5"
    assert ask(tmp_path, project, installed, f"{command}\n{WAITS}").job == ""


def test_a_job_that_is_not_there(project: Path, installed: Installed):
    with pytest.raises(TraceError, match=r"no launch of the code is there; its launches are at `jobs/"):
        read_code(project, installed).named_job("nosuch.sh")
