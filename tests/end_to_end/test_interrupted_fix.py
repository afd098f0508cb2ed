"""`--fix` in a process that is killed: the next command finishes what was begun, or takes it back, and says so."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from ddl_lint.fixes import journal
from ddl_lint.fixes.left_over import journals, places

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills")]

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


MANY = {f"train_{number}.py": TRAIN for number in range(16)}
"""Enough files that the writing takes a while."""
MENDED = {name: text.replace("model.state_dict()", "model.module.state_dict()") for name, text in MANY.items()}


class Attempt:
    """A real run with `--fix` that is about to be killed, and what its journal tells of how far it is."""

    def __init__(self, folder: Path, journal: Path) -> None:
        self._journal = journal
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ddl_lint", *WORDS], cwd=folder, stdout=subprocess.DEVNULL
        )

    @property
    def is_writing(self) -> bool:
        return bool(journals(self._journal))

    def wait(self, until: Callable[[], bool]) -> float:
        """Look on until something holds or the process has ended; returns the seconds since its start."""
        while not until() and self.process.poll() is None:
            time.sleep(0.0002)
        return time.monotonic() - self.began

    def wait_for_writing(self) -> float:
        return self.wait(lambda: self.is_writing)

    def wait_for_its_end(self) -> float:
        return self.wait_for_writing() and self.wait(lambda: not self.is_writing)

    def kill(self) -> bool:
        """Returns whether it was still there."""
        self.process.kill()
        return self.process.wait() == -signal.SIGKILL


@pytest.mark.nightly
def test_kills_at_any_time(project, run, capsys):
    """As an impatient user or the system does it: 200 real runs are killed, most of them while they write."""
    folder: Path = project(MANY)
    settled: Counter[str] = Counter()
    dice = random.Random(1)

    def attempt() -> Attempt:
        project(MANY)
        return Attempt(folder, next(iter(places())))

    whole = attempt()
    begins, ends, lasts = whole.wait_for_writing(), whole.wait_for_its_end(), whole.wait(lambda: False)

    def doomed(aim: str) -> Attempt:
        """One that has come to a random moment of a stage."""
        made = attempt()
        if aim == "writing":
            made.wait_for_writing()
        elif aim == "late":
            made.wait_for_its_end()
        time.sleep(dice.uniform(0.0, {"writing": ends - begins, "late": lasts - ends}.get(aim, lasts)))
        return made

    while sum(settled.values()) < 200:
        victim = doomed(*dice.choices(("any time", "writing", "late"), (3, 6, 1)))
        if not victim.kill():
            continue
        is_begun, left = victim.is_writing, texts(folder)
        told = run("jobs").err
        now = texts(folder)
        assert now in (MANY, MENDED)  # no file of ours beside them, either
        assert not victim.is_writing
        assert left in (MANY, MENDED) or "An earlier run was interrupted" in told
        is_mended = now == MENDED
        if is_begun:
            settled["while it wrote, then finished" if is_mended else "while it wrote, then undone"] += 1
        else:
            settled["after it had written" if is_mended else "before it wrote"] += 1
    with capsys.disabled():
        print(f"\n200 kills: {dict(settled)}")
    assert settled["while it wrote, then finished"] + settled["while it wrote, then undone"] >= 50, settled
    assert len(settled) == 4, settled
