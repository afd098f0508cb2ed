from __future__ import annotations

import pickle
import time

import pytest

from ddl_lint.check.engine import check_project
from ddl_lint.output.timing import timing
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import load_rules
from ddl_lint.timing import REST, START, Times, collect, stage


@pytest.fixture
def clock(monkeypatch):
    """A clock of the test's own: `clock(2)` lets two seconds go by."""
    now = 10.0

    def wait(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr(time, "process_time", lambda: now)
    return wait


def test_a_stage_has_its_own_time_only(clock):
    with collect() as times:
        clock(1)
        with stage("follow", "a.py"):
            clock(2)
            with stage("parse", "b.py"):
                clock(4)
            clock(8)
        with stage("follow", "c.py"):
            clock(16)
        clock(32)
    assert times.by_stage() == {START: 10, REST: 33, "follow": 26, "parse": 4}
    assert list(times.by_subject("follow", "parse").items()) == [("c.py", 16), ("a.py", 10), ("b.py", 4)]


def test_a_stage_ends_with_an_error(clock):
    with collect() as times:
        with pytest.raises(ValueError), stage("rules", "odd-rank"):
            clock(1)
            raise ValueError
        clock(2)
    assert times.by_stage() == {START: 10, "rules": 1, REST: 2}


def test_nothing_is_kept_when_nobody_collects(clock):
    with collect() as times:
        pass
    with stage("rules", "odd-rank"):
        clock(1)
    assert times.by_stage() == {START: 10, REST: 0}


def test_processes_send_each_other_times():
    times, other = Times({("parse", "a.py"): 1.0}), Times({("parse", "a.py"): 2.0, ("follow", "a.py"): 4.0})
    times.add(pickle.loads(pickle.dumps(other)))
    assert times.by_stage() == {"parse": 3, "follow": 4}


def test_tables(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    files = {("parse", (tmp_path / f"{number}.py").as_posix()): 0.01 * number for number in range(1, 21)}
    lines = timing(Times({(REST, ""): 0.5, ("rules", "odd-rank"): 0.25, ("rules", "lost-rank"): 0.0, **files})).split(
        "\n"
    )
    assert lines[:5] == [
        " seconds  share  stage",
        "   0.250   8.8%  rules",
        "   2.100  73.7%  parse",
        "   0.500  17.5%  rest",
        "",
    ]
    assert lines[5:9] == [
        " seconds  share  rule",
        "   0.250   8.8%  odd-rank",
        "",
        " seconds  share  file, until it is lowered",
    ]
    assert lines[9] == "   0.200   7.0%  20.py"
    assert lines[18:] == ["   0.110   3.9%  11.py", "", "2.850 s of CPU time"]


def test_stages_of_a_check(tmp_path):
    file = tmp_path / "train.py"
    file.write_text("import torch.distributed as dist\n\nif dist.get_rank() == 0:\n    dist.barrier()\n")
    with collect() as times:
        check_project([file], lambda _: Settings(root=tmp_path), load_rules())
    assert {"models", "triage", "read", "parse", "lower", "follow", "rules", "questions"} <= times.by_stage().keys()
    for each in ("read", "parse", "lower", "follow"):
        assert list(times.by_subject(each)) == [file.as_posix()]
    assert times.by_subject("rules")
