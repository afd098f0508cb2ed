"""`--fix` in a process that is killed: the next command finishes what was begun, or takes it back, and says so."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ddl_lint.fixes import journal

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills")

TRAIN = """\
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("nccl")
model = DDP(torch.nn.Linear(4, 2).cuda(), device_ids=[0])
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "model.pt")  # the best one
"""
BEFORE = {f"train_{number}.py": TRAIN for number in range(3)}
AFTER = {name: text.replace("model.state_dict()", "model.module.state_dict()") for name, text in BEFORE.items()}
WORDS = ("check", "--select", "DDL305", "--fix", "--unsafe-fixes", "--jobs", "1")
DYING = """
import os, signal, sys
from ddl_lint.fixes import journal
really = os.replace
def replace(source, target):
    if str(target).endswith({name!r}):
        os.kill(os.getpid(), signal.SIGKILL)
    really(source, target)
os.replace = replace
from ddl_lint.__main__ import main
sys.exit(main())
"""


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize(
    ("name", "told", "expected"),
    [
        ("train_1.py", "Its changes are complete now: train_0.py, train_1.py, train_2.py.", AFTER),
        ("ready", "They are as they were: train_0.py, train_1.py, train_2.py.", BEFORE),
    ],
)
def test_the_next_command_settles_it(project, run, name, told, expected):
    folder: Path = project(BEFORE)
    died = subprocess.run([sys.executable, "-c", DYING.format(name=name), *WORDS], cwd=folder, capture_output=True)
    assert died.returncode == -signal.SIGKILL, died.stderr
    assert texts(folder) != AFTER and (name == "ready") == all(texts(folder)[each] == TRAIN for each in BEFORE)
    result = run("check", "--select", "DDL305")
    assert told in result.err
    assert texts(folder) == expected
    assert run("check", "--select", "DDL305").err == ""


@pytest.mark.parametrize("words", ["check", "merge s.json", "scan list.txt", "report", "trace train_0.py", "jobs"])
def test_whatever_reads_code_settles_it(project, run, words):
    folder: Path = project({**BEFORE, "list.txt": ".\n"})
    run("check", "--shard=1/1", "--output-file", "s.json")
    begun = journal.Journal.opened()
    target, temporary = folder / "train_0.py", folder / ".ddl-lint-0123456789abcdef.tmp"
    temporary.write_text("half of it")
    begun.begin([journal.Step(str(target), str(temporary), target.read_bytes(), journal.digest(b"all of it"))])
    begun.close()
    assert "They are as they were: train_0.py." in run(*words.split()).err
    assert not temporary.exists()


def test_links_out_of_the_project_are_not_followed(project, run, tmp_path):
    folder: Path = project({"ddl-lint.toml": ""})
    (tmp_path / "elsewhere.py").write_text(TRAIN)
    (folder / "train.py").symlink_to(tmp_path / "elsewhere.py")
    result = run(*WORDS, "train.py")
    assert result.code == 2
    assert "which is not in the project" in result.err
    assert (tmp_path / "elsewhere.py").read_text() == TRAIN


@pytest.mark.nightly
def test_kills_at_any_time(project, run):
    """As an impatient user or the system does it: 100 real runs, each killed after another while."""
    folder: Path = project(BEFORE)
    dice = random.Random(1)
    for _ in range(100):
        project(BEFORE)
        process = subprocess.Popen([sys.executable, "-m", "ddl_lint", *WORDS], cwd=folder, stdout=subprocess.DEVNULL)
        try:
            process.wait(dice.uniform(0.3, 1.5))
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        run("check", "--select", "DDL305")
        assert texts(folder) in (BEFORE, AFTER)
