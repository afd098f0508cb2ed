"""Runs are judged one by one: a verdict is data, the run is gone, and what runs tell each other decides in the join."""

from __future__ import annotations

import gc
import pickle
import weakref
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ddl_lint.check.engine import check_project
from ddl_lint.check.rule_runner import RuleRunner, RunResult, merge_runs
from ddl_lint.finding import Finding, RuleFinding
from ddl_lint.project.config import Settings
from ddl_lint.registry.rules import Rule, load_rules
from ddl_lint.source.span import Location
from programs import check_program

_JOINING = [rule for rule in load_rules() if rule.has_check and rule.publish is not None]


@pytest.mark.slow
@pytest.mark.parametrize("rule", _JOINING, ids=lambda rule: rule.name)
def test_a_verdict_is_data_and_its_run_is_dropped(rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left of a verdict that has been written down and read again is the same, and so is what is found."""
    really, runs = RuleRunner.run_result, list[weakref.ref[Any]]()

    def written_down(runner: RuleRunner, run: Any) -> RunResult:
        runs.append(weakref.ref(run))
        run_result = really(runner, run)
        again: RunResult = pickle.loads(pickle.dumps(run_result))
        assert again == run_result
        return again

    monkeypatch.setattr(RuleRunner, "run_result", written_down)
    assert rule.folder is not None
    outcome = check_program(rule.folder / "bad", tmp_path)
    assert outcome.found == outcome.expected
    gc.collect()
    assert runs
    assert all(run() is None for run in runs)


@pytest.mark.parametrize("rule", _JOINING, ids=lambda rule: rule.name)
def test_a_rule_that_publishes_joins(rule: Rule) -> None:
    assert rule.join is not None or rule.check_project_files is not None


_LIBRARY = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = [nn.Linear(4, 4) for _ in range(3)]

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
"""
_TRAINS = """
import torch
import torch.distributed as dist
from net import Net

dist.init_process_group("nccl")
print(Net)
dist.destroy_process_group()
"""
_DOES_NOT = "from net import Net\n\nprint(Net)\n"


@pytest.mark.parametrize(("script", "found"), [(_TRAINS, {"modules-in-plain-list"}), (_DOES_NOT, set[str]())])
def test_what_a_script_does_decides_about_a_class_that_it_imports(script: str, found: set[str], tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(_LIBRARY)
    (tmp_path / "train.py").write_text(script)
    settings = Settings(pedantic=True, preview=True)
    report = check_project(sorted(tmp_path.glob("*.py")), lambda _: settings, load_rules())
    assert {each.name for each in report.findings if each.name == "modules-in-plain-list"} == found


def test_a_fix_falls_where_another_run_has_none() -> None:
    """One place, found in two runs: a fix that cannot be made for one of them is wrong for the file."""
    from ddl_lint.finding import Applicability, Fix

    place = Location("a.py", 0, 1)
    rule = next(rule for rule in load_rules() if rule.name == "missing-init-process-group")
    with_one = Finding("wrong", place, fix=Fix("Put it right", (), Applicability.SAFE))
    without = Finding("wrong", place, unfixable="there is no room")
    run_results = [
        RunResult(f"{name}.py", name, frozenset({"a"}), False, (RuleFinding(rule.code, finding),))
        for name, finding in (("one", with_one), ("two", without))
    ]
    (left,) = merge_runs(run_results, [rule], lambda _: "a").findings
    assert left.finding.fix is None
    assert left.finding.unfixable == "there is no room"


_OF_TWO_ARMS = """
import argparse

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

parser = argparse.ArgumentParser()
parser.add_argument("--wrap", action="store_true")
args = parser.parse_args()
dist.init_process_group("nccl")
model = torch.nn.Linear(2, 2).cuda()
if args.wrap:
    model = DistributedDataParallel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in torch.randn(8, 4, 2).cuda():
    optimizer.zero_grad()
    model(batch).sum().backward()
    optimizer.step()
if dist.get_rank() == 0:
    dist.barrier()
"""


def test_the_fix_of_a_place_is_built_once_for_all_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said of an arm where it was said of the run is dropped, and so would its fix be."""
    from ddl_lint.analysis.view import RunView
    from ddl_lint.fixes import proof

    really, made, judged = proof.proved, Counter[tuple[str, int]](), list[object]()

    def counted(run: RunView, fix: Any, subjects: Any) -> Any:
        made.update((fix.title, edit.location.start) for edit in fix.edits[:1])
        return really(run, fix, subjects)

    def under(view: RunView, *facts: Any) -> RunView:
        judged.append(facts)
        return of_job(view, *facts)

    of_job = RunView.under
    monkeypatch.setattr(proof, "proved", counted)
    monkeypatch.setattr(RunView, "under", under)
    (tmp_path / "train.py").write_text(_OF_TWO_ARMS)
    settings = Settings(pedantic=True, preview=True)
    check_project([tmp_path / "train.py"], lambda _: settings, load_rules())
    assert judged
    assert made
    assert set(made.values()) == {1}
