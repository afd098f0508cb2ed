"""Lowering in processes of their own: the same programs, and files that a process cannot take."""

from __future__ import annotations

import os
import threading
from dataclasses import fields, is_dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path

import pytest

from ddl_lint import processes
from ddl_lint.analysis.interpreter.project.codebase import Source
from ddl_lint.check.engine import check_project
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.lowering import lower
from ddl_lint.project import pool
from ddl_lint.project.config import Settings
from ddl_lint.project.pool import Task, lower_all, worthwhile
from ddl_lint.registry.rules import load_rules
from ddl_lint.source import document_from_bytes

_BODY = """\
import torch

def step(model, loader):
    for batch in loader:
        loss = model(batch).sum()
        loss.backward()
"""


def task(name: str, text: str) -> Task:
    return Task(Source(f"/project/{name}.py", name, is_package=False), text.encode())


def test_the_programs_are_those_of_one_process() -> None:
    tasks = [task(f"m{number}", _BODY * (number + 1) + f"print({number})\n") for number in range(12)]
    tasks += [task("broken", "def f(:\n    x = (1,\nprint(2)\n"), task("empty", "")]
    found = list(lower_all(tasks, 2))
    assert sorted(each.source.name for each, _, _ in found) == sorted(each.source.name for each in tasks)
    for each, lowered, is_lasting in found:
        here = lower(document_from_bytes(each.source.path, each.data), each.source.name)
        assert is_lasting and lowered.faults == here.faults
        assert _plain(lowered.module.body) == _plain(here.module.body)
        assert (lowered.module.path, lowered.module.name) == (each.source.path, each.source.name)


def _plain(value: object) -> object:
    """Nodes compare by identity, and show sets in any order."""
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), [_plain(getattr(value, part.name)) for part in fields(value)]
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def test_what_raises_an_error_is_left_out() -> None:
    tasks = [task("fine", _BODY), Task(Source("/project/nul.py", "nul", is_package=False), b"\0")]
    assert [each.source.name for each, _, _ in lower_all(tasks, 2)] == ["fine"]


class _Clock:
    """A clock that stands still until there is nothing to wait for but what takes for ever."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def wait(self, pipes: list[Connection], seconds: float) -> object:
        if len(pipes) > 1:
            return wait(pipes)
        self.now += seconds
        return []


def test_a_process_that_is_given_up_costs_its_file_only(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = _Clock()
    monkeypatch.setattr(pool, "_serve", _stumbling)
    monkeypatch.setattr(pool, "time", clock)
    monkeypatch.setattr(pool, "_wait", clock.wait)
    tasks = [task("fine", _BODY), task("crash", _BODY * 3), task("endless", _BODY * 2), task("also_fine", _BODY)]
    found = {each.source.name: (lowered, is_lasting) for each, lowered, is_lasting in lower_all(tasks, 2)}
    assert set(found) == {"fine", "crash", "endless", "also_fine"}
    assert found["fine"][1] and found["also_fine"][1] and found["fine"][0].module.body
    for name, reason in (("crash", "ends without a word"), ("endless", "more than 60 seconds")):
        lowered, is_lasting = found[name]
        assert not is_lasting and not lowered.module.body
        assert [reason in fault.message for fault in lowered.faults] == [True]
    assert not processes.running()


def _stumbling(pipe: object) -> None:
    """A process with a parser that dies of one file and takes for ever for another."""
    answer = pool._answer  # pyright: ignore[reportPrivateUsage]

    def _answer(task: Task) -> bytes:
        if task.source.name == "crash":
            os._exit(139)
        if task.source.name == "endless":
            threading.Event().wait()
        return answer(task)

    pool._answer = _answer  # pyright: ignore[reportPrivateUsage]
    _SERVE(pipe)  # pyright: ignore[reportArgumentType]


_SERVE = pool._serve  # pyright: ignore[reportPrivateUsage]


def test_processes_for_much_work_only() -> None:
    small, large = [task("a", _BODY)] * 10, [task("a", "#" * 500_000)] * 10
    assert [worthwhile(small, jobs) for jobs in (1, 2, 8)] == [0, 0, 0]
    assert [worthwhile(large, jobs) for jobs in (1, 2, 8, 64)] == [0, 2, 8, 10]
    assert worthwhile(large[:1], 8) == 0


@pytest.mark.parametrize("jobs", [2, 3, 5])
def test_the_findings_do_not_depend_on_the_number_of_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    monkeypatch.setattr(pool, "_WORTH_A_PROCESS", 1)
    for folder in sorted((Path(__file__).parents[2] / "rules" / "ddl_lint_rules").glob("*/*/bad"))[:12]:
        for file in folder.glob("*.py"):
            text = file.read_text(encoding="utf-8")
            (tmp_path / f"{folder.parent.name}_{file.name}").write_text(text, encoding="utf-8")
    (tmp_path / "broken.py").write_text("import torch\nx = (\n")
    assert _findings(tmp_path, jobs) == _findings(tmp_path, 1) != []


def _findings(root: Path, jobs: int) -> list[Diagnostic]:
    files = sorted(root.glob("*.py"))
    return check_project(files, lambda _: Settings(pedantic=True, preview=True), load_rules(), jobs=jobs).findings
