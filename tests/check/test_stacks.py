"""Jobs of the stacks that people use today: nothing is said of those that are right, with all rules, and of those in
which only rank 0 makes a collective call, that.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cases import Program, cases_in
from programs import check_program

_CASES = cases_in(Path(__file__).with_name("stacks.md"))


@pytest.mark.parametrize("program", _CASES, ids=lambda program: program.name)
def test_what_is_said_of_a_job(program: Program, tmp_path: Path) -> None:
    outcome = check_program(program, tmp_path)
    assert ("flagged" in program.sections) is bool(outcome.expected)
    assert outcome.found == outcome.expected
