"""Rank divergence: small programs with a known verdict, and correct ones that look faulty to a hasty reader.

`snippets` asks one question per program and says in comments what must be found. `traps` holds the shapes of real
repositories that are balanced although ranks go different ways, `frameworks` such shapes per framework: on both of
them every rule must be silent.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cases import Program, cases_in, programs_in
from programs import check_program

_HERE = Path(__file__).parent
_IGNORED = ("distributed-shutdown-missing", "hvd-learning-rate-not-scaled")
_TRAPS = [*cases_in(_HERE / "traps.md"), *programs_in(_HERE / "traps")]
_SILENT = [("traps", program) for program in _TRAPS] + [
    (path.stem, program) for path in sorted((_HERE / "frameworks").glob("*.md")) for program in cases_in(path)
]


@pytest.mark.parametrize("program", cases_in(_HERE / "snippets.md"), ids=lambda program: program.name)
def test_snippet(program: Program, tmp_path: Path) -> None:
    outcome = check_program(program, tmp_path, ignore=_IGNORED)
    assert outcome.found == outcome.expected


@pytest.mark.parametrize("program", [pytest.param(program, id=f"{kind}-{program.name}") for kind, program in _SILENT])
def test_silent(program: Program, tmp_path: Path) -> None:
    outcome = check_program(program, tmp_path, ignore=_IGNORED)
    assert not outcome.expected
    assert not outcome.found
