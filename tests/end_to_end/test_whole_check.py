"""The budget of a whole check: what is done first, what is told of the rest, and what does not come of half a check."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from ddl_lint import allowance
from ddl_lint.analysis.interpreter.interpreter import Interpreter

FAULTY = "import torch.distributed as dist\n\nprint(dist.get_rank())\n"
HANGS = "import torch.distributed as dist\n\ndist.init_process_group('gloo')\n"
HANGS += "if dist.get_rank() == 0:\n    dist.barrier()\n"
LIBRARY = "import torch.distributed as dist\n\n\ndef unused():\n    if dist.get_rank() == 0:\n        dist.barrier()\n"
NEVER_SET = """\
import torch.distributed as dist
from torch import nn, optim
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def train(rows):
    sampler = DistributedSampler(rows, shuffle=True)
    loader = DataLoader(rows, batch_size=8, sampler=sampler)
    net = DistributedDataParallel(nn.Linear(8, 1))
    optimizer = optim.Adam(net.parameters())
    for epoch in range(10):
        for batch in loader:
            optimizer.zero_grad()
            net(batch).sum().backward()
            optimizer.step()
"""
TRAIN = """\
import torch
import torch.distributed as dist
from torch.utils.data import TensorDataset
from steps import train

dist.init_process_group("gloo")
train(TensorDataset(torch.rand(80, 8)))
"""


@pytest.fixture
def scripts_that_take(monkeypatch):
    """Let following a script take this many seconds of a made-up clock."""

    def take(seconds: float) -> list[str]:
        now = [0.0]
        followed: list[str] = []
        really = Interpreter.run_script

        def run_script(self, module):
            run = really(self, module)
            now[0] += seconds
            followed.append(module.name)
            return run

        monkeypatch.setattr(Interpreter, "run_script", run_script)
        monkeypatch.setattr(allowance, "time", SimpleNamespace(process_time=lambda: now[0]))
        return followed

    return take


def test_scripts_that_start_little_come_first(project, check, scripts_that_take):
    project(
        {
            **{"a.py": f"import parts\n{FAULTY}", "parts.py": "import torch\n" + "x = 1\n" * 99},
            **{"b.py": FAULTY + "y = 1\n" * 9, "c.py": FAULTY, "library.py": LIBRARY},
        }
    )
    followed = scripts_that_take(10)
    result = check(".", "-j1", "--no-cache", "--max-check-seconds", "15")
    assert followed == ["c", "b"]
    assert result.found == [("a.py", "DDL006"), ("b.py", "DDL201"), ("c.py", "DDL201")]
    note = result.diagnostics[0]
    assert note["message"] == (
        "Partly checked: the check ended after 15 CPU seconds; not checked: 1 of 3 scripts and code that no script uses"
    )
    assert [each["file"] for each in note["related"]] == ["a.py"]
    assert "--no-limit" in note["help"]
    assert result.code == 1
    left = [each for each in json.loads(result.out)["programs"] if not each["followed"]]
    assert ("a.py", "the check ended before it") in [(each["file"], each["reason"]) for each in left]


def test_named_files_come_first(project, check, scripts_that_take):
    project({"core.py": LIBRARY, "z.py": f"import core\n{FAULTY}" + "x = 1\n" * 99, "a.py": f"import core\n{FAULTY}"})
    followed = scripts_that_take(10)
    check("z.py", "core.py", "-j1", "--no-cache", "--max-check-seconds", "5")
    assert followed == ["z"]


@pytest.mark.parametrize("options", [["--no-limit"], ["--max-check-seconds", "1e9"]])
def test_the_limit_can_be_raised(project, check, scripts_that_take, options):
    project({"a.py": FAULTY, "b.py": FAULTY, "ddl-lint.toml": "max-check-seconds = 5\n"})
    scripts_that_take(10)
    assert ("b.py", "DDL006") in check("-j1", "--no-cache").found
    assert check("-j1", "--no-cache", *options).found == [("a.py", "DDL201"), ("b.py", "DDL201")]


def test_the_next_check_goes_on_and_nothing_was_stored_as_a_whole(project, check, scripts_that_take, tmp_path):
    project({"a.py": FAULTY, "b.py": FAULTY, "c.py": FAULTY, "library.py": LIBRARY})
    followed = scripts_that_take(10)
    words = ("-j1", "--cache-dir", str(tmp_path / "cache"), "--max-check-seconds", "5")
    founds = [check(*words).found for _ in range(4)]
    assert followed == ["a", "b", "c"]
    assert founds[1] == [("a.py", "DDL201"), ("b.py", "DDL201"), ("c.py", "DDL006")]
    assert founds[3] == [("a.py", "DDL201"), ("b.py", "DDL201"), ("c.py", "DDL201"), ("library.py", "DDL502")]


def test_what_needs_all_programs_is_not_said(project, check, scripts_that_take):
    caller = TRAIN + "x = 1\n" * 9
    project({"one.py": TRAIN, "two.py": caller, "steps.py": NEVER_SET})
    scripts_that_take(10)
    assert ("steps.py", "DDL402") in check("-j1", "--no-cache").found
    assert check("-j1", "--no-cache", "--max-check-seconds", "5").found == [("two.py", "DDL006")]


def test_half_a_check_changes_nothing(project, run, scripts_that_take, tmp_path):
    folder = project({"a.py": HANGS, "b.py": HANGS})
    scripts_that_take(10)
    words = ("check", "-j1", "--no-cache", "--max-check-seconds", "5")
    fixed = run(*words, "--fix", "--unsafe-fixes")
    assert (fixed.code, "so no file was changed" in fixed.err) == (2, True)
    assert (folder / "a.py").read_text() == HANGS
    written = run(*words, "--write-baseline", "known.json")
    assert (written.code, "so the baseline was not written" in written.err) == (2, True)
    assert not (folder / "known.json").exists()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_no_time_at_all(project, check, jobs):
    project({"a.py": FAULTY, "library.py": LIBRARY})
    result = check("-j", jobs, "--max-check-seconds", "0.001")
    assert (result.code, result.found) == (0, [("a.py", "DDL006")])
    assert len(check("-j", jobs).found) == 2


def test_what_other_processes_spend_counts(monkeypatch):
    monkeypatch.setattr(allowance, "time", SimpleNamespace(process_time=lambda: 100.0))
    whole = allowance.Allowance(10)
    whole.charge(4)
    assert (whole.remaining(), whole.is_over()) == (6, False)
    whole.charge(6)
    assert whole.is_over()
    whole.grant(3)
    assert whole.remaining() == 3
    assert not whole.stop()  # nothing was begun
    assert (whole.remaining(), whole.is_over()) == (0, True)
