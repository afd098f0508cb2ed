"""What logs by themselves say: each section of `logs.md` is one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from ddl_lint.diagnose import read
from ddl_lint.diagnose.causes import cause_of
from ddl_lint.diagnose.symptom import symptom

_SECTION = re.compile(
    r"^## (?P<name>[^\n]+)\n\n(?P<wanted>kind: [^\n]+)\n\n```\n(?P<log>.*?)\n```$", re.MULTILINE | re.DOTALL
)


class Case(NamedTuple):
    name: str
    wanted: dict[str, str]
    log: str
    is_of_code: bool


def cases() -> list[Case]:
    text = Path(__file__).with_name("logs.md").read_text(encoding="utf-8")
    border = text.index("# No fault of the code")
    found = [
        Case(
            each["name"],
            dict(part.split(": ", 1) for part in each["wanted"].split("; ")),
            each["log"],
            each.start() < border,
        )
        for each in _SECTION.finditer(text)
    ]
    assert len(found) == text.count("\n## ")
    return found


CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))
def test_what_a_log_says(case: Case, tmp_path: Path):
    (tmp_path / "job.log").write_text(case.log + "\n", encoding="utf-8")
    found = symptom(read([str(tmp_path / "job.log")]))
    said = {
        "kind": found.kind,
        "failed": ", ".join(map(str, found.failed)),
        "waits": ", ".join(str(wait.rank) for wait in found.waits),
        "absent": ", ".join(map(str, found.absent)),
    }
    assert {name: said[name] for name in case.wanted} == case.wanted


@pytest.mark.parametrize("case", [case for case in CASES if not case.is_of_code], ids=lambda case: case.name)
def test_the_code_is_not_accused_of_what_it_did_not_do(case: Case):
    kind = case.wanted["kind"]
    assert kind == "ranks-missing" or cause_of(kind).blame in ("machine", "job", "unknown")


OF_RANKS = [case for case in CASES if re.search(r"^\[rank\d\]", case.log, re.MULTILINE)]


@pytest.mark.parametrize("case", OF_RANKS, ids=lambda case: case.name.replace(" ", "-"))
def test_the_same_in_a_file_per_rank(case: Case, tmp_path: Path):
    """Lines that a rank says are found in its own file, the others in one of the launcher."""
    files: dict[str, list[str]] = {}
    for line in case.log.splitlines():
        by = re.match(r"\[rank(\d)\]: ?", line)
        files.setdefault(f"rank{by[1]}.log" if by else "launcher.log", []).append(line[by.end() :] if by else line)
    for name, lines in files.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert symptom(read([str(tmp_path)])).kind == case.wanted["kind"]
