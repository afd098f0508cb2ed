"""Old findings and fixes: what is left out of a report is not fixed either."""

from __future__ import annotations

import os
import subprocess

SAVE = """\
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("nccl")
model = DDP(torch.nn.Linear(4, 2).cuda(), device_ids=[0])
if dist.get_rank() == 0:
    torch.save(model.state_dict(), "NAME.pt")
"""
ONLY = ("--select", "DDL305", "--config", "trusting.toml")


def text(name: str, *, is_fixed: bool = False) -> str:
    made = SAVE.replace("NAME", name)
    return made.replace("model.state_dict", "model.module.state_dict") if is_fixed else made


def written(project):
    return project({"a.py": text("a"), "b.py": text("b"), "trusting.toml": 'extend-safe-fixes = ["DDL305"]\n'})


def test_the_baseline_is_not_fixed(project, run):
    folder = written(project)
    assert run("check", *ONLY, "--write-baseline", "known.baseline").code == 0
    project({"c.py": text("c")})
    result = run("check", *ONLY, "--baseline", "known.baseline", "--fix")
    assert (result.code, result.err) == (0, "2 old findings are left out: see known.baseline\n")
    assert "Fixed 1 finding in 1 file:\n    c.py" in result.out
    assert [(folder / f"{name}.py").read_text() for name in "abc"] == [text("a"), text("b"), text("c", is_fixed=True)]


def test_only_what_has_changed_is_fixed(project, run):
    folder = written(project)
    identity = ["-c", "user.name=A", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        subprocess.run(["git", *identity, *words], cwd=folder, check=True, env=environment)
    project({"b.py": text("best")})
    difference = run("check", *ONLY, "--changed-since", "HEAD", "--diff")
    assert difference.code == 1
    assert "a.py" not in difference.out and "+    torch.save(model.module" in difference.out
    assert run("check", *ONLY, "--changed-since", "HEAD", "--fix").code == 0
    assert (folder / "a.py").read_text() == text("a")
    assert (folder / "b.py").read_text() == text("best", is_fixed=True)


def test_comments_are_put_at_what_is_new(project, run):
    folder = written(project)
    run("check", *ONLY, "--write-baseline", "known.baseline")
    project({"c.py": text("c")})
    run("check", *ONLY, "--baseline", "known.baseline", "--add-ignore")
    assert ["ignore[" in (folder / f"{name}.py").read_text() for name in "abc"] == [False, False, True]
