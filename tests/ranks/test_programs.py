"""Rank divergence: small programs with a known verdict, and correct ones that look faulty to a hasty reader.

`snippets/` asks one question per program and says in comments what must be found. `traps/` holds the shapes of real
repositories that are balanced although ranks go different ways, `frameworks/` such shapes per framework: on both of
them every rule must be silent.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from programs import check_program, programs_in

_HERE = Path(__file__).parent
_SILENT_FOLDERS = [_HERE / "traps", *sorted(folder for folder in (_HERE / "frameworks").iterdir() if folder.is_dir())]
_SILENT = [case for folder in _SILENT_FOLDERS for case in programs_in(folder)]


@pytest.mark.parametrize("case", list(programs_in(_HERE / "snippets")), ids=lambda case: case.stem)
def test_snippet(case: Path, tmp_path: Path) -> None:
    outcome = check_program(case, tmp_path, ignore=("distributed-shutdown-missing", "hvd-learning-rate-not-scaled"))
    assert outcome.found == outcome.expected


@pytest.mark.parametrize("case", _SILENT, ids=lambda case: f"{case.parent.name}-{case.stem}")
def test_silent(case: Path, tmp_path: Path) -> None:
    outcome = check_program(case, tmp_path, ignore=("distributed-shutdown-missing", "hvd-learning-rate-not-scaled"))
    assert not outcome.expected
    assert not outcome.found
