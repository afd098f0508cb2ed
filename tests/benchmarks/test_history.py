"""What a change costs, and when that is too much."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import history
from benchmarks.checkouts import pinned
from benchmarks.history import Comparison
from benchmarks.processes import CommandError, Usage
from benchmarks.tools import OURS, Tool


def compared(cpu: list[tuple[float, float]], memory: float = 1.0) -> Comparison:
    return Comparison("a/b", [(Usage(before, 1.0, 50.0), Usage(now, 1.0, 50.0 * memory)) for before, now in cpu])


def test_ten_repositories_are_pinned():
    lines = pinned(history.REPOSITORIES)
    assert len({line["repository"] for line in lines}) == 10
    assert all("/" in line["repository"] and len(line["commit"]) == 40 for line in lines)


def test_which_repositories_are_asked_for():
    lines = [{"repository": "a/small", "small": "yes"}, {"repository": "a/Large", "small": ""}]
    assert history.chosen(lines, False, []) == lines[:1]
    assert history.chosen(lines, True, []) == lines
    assert history.chosen(lines, False, ["large"]) == lines[1:]


def test_medians_and_the_cheapest_rounds():
    found = compared([(2.0, 2.2), (4.0, 4.0), (2.0, 3.0)])
    assert found.cpu == (2.0, 3.0, pytest.approx(1.1), pytest.approx(1.1))
    assert found.is_dearer(9)
    assert not found.is_dearer(11)


def test_what_the_rest_of_the_machine_does_makes_nothing_dearer():
    assert not compared([(2.0, 2.6), (2.0, 2.5), (2.0, 2.0)]).is_dearer(5)
    assert not compared([(2.5, 2.5), (2.0, 2.2), (2.5, 2.5)]).is_dearer(5)


def test_memory_counts_too():
    assert compared([(2.0, 2.0)], memory=1.06).is_dearer(5)
    assert not compared([(2.0, 2.0)], memory=1.04).is_dearer(5)


def test_both_take_turns_in_being_first():
    order: list[str] = []

    def costs(name: str, cpu: float):
        def measured() -> Usage:
            order.append(name)
            return Usage(cpu, 1.0, 50.0)

        return measured

    found = Comparison("a/b")
    found.add(costs("before", 1.0), costs("now", 2.0), 3)
    assert order == ["before", "now", "now", "before", "before", "now"]
    assert [(before.cpu, now.cpu) for before, now in found.rounds] == [(1.0, 2.0)] * 3
    found.add(costs("before", 1.0), costs("now", 80.0), 3)
    assert len(found.rounds) == 4, "what takes long is not repeated"


def test_the_record(tmp_path: Path):
    one = history.recorded(compared([(2.0, 2.2)] * 3), "b", "a")
    assert (one["cpu_ratio"], one["memory_now"], one["memory_ratio"]) == ("1.100", "50.0", "1.000")
    assert (one["commit"], one["against"], one["repository"], one["rounds"]) == ("b", "a", "a/b", "3")
    history.write(tmp_path / "record.csv", [one, one])
    assert history.read(tmp_path / "record.csv") == [one, one]
    assert history.read(tmp_path / "none.csv") == []


@pytest.mark.parametrize(
    "ratio, code, said", [(1.0, 0, ""), (1.2, 1, "More than 5 % dearer"), (None, 1, "Not measured: a/b: it is broken")]
)
def test_the_guard(
    ratio: float | None, code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):  # fmt: skip
    (tmp_path / "list.csv").write_text(f"repository,commit,small\na/b,{'0' * 40},yes\n")
    (tmp_path / "a+b").mkdir()
    (tmp_path / ".a+b.commit").write_text("0" * 40)

    def check(tool: Tool, folder: Path, cache: Path) -> Usage:
        if ratio is None and folder == tmp_path / "a+b":
            raise CommandError("it is broken")
        return Usage(2.0 if tool.name == "before" else 2.0 * (ratio or 1.0), 1.0, 50.0)

    monkeypatch.setattr(history, "REPOSITORIES", tmp_path / "list.csv")
    monkeypatch.setattr(Tool, "check", check)
    monkeypatch.setattr(history, "_state", lambda commit: nullcontext(replace(OURS, name="before")))
    monkeypatch.setattr(history, "_commit", str)
    monkeypatch.setattr(sys, "argv", ["history", "--checkouts", str(tmp_path), "--against", "before", "--rounds", "1"])
    assert history.main() == code
    shown = capsys.readouterr()
    assert said in shown.err
    assert ("| a/b | 2.00 | " in shown.out) == (ratio is not None)
