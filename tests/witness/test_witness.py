"""The faults and their fixes under the real frameworks: processes on the CPU, joined by gloo.

The linter must find the rule of each program in it, and nothing else; as it is, the program must fail in the way that
its first line tells (`witnesses.py`); with the fix, all of its processes must end well and tell the same.

The targets `make witness...` install the frameworks, which nothing else here needs, and have it written down what was
seen. Without the frameworks the tests are skipped.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from launching import Run, launch
from programs import mend_program
from sightings import require, write_down
from witnesses import Witness, witnesses

WITNESSES = [
    pytest.param(witness, id=witness.name, marks=getattr(pytest.mark, witness.environment)) for witness in witnesses()
]


@pytest.mark.parametrize("witness", list(witnesses()), ids=lambda witness: witness.name)
def test_the_linter_sees_what_fails(witness: Witness, tmp_path: Path):
    """Needs no framework, so that each run of the tests has it."""
    assert _fixed(witness, tmp_path)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc, to see who waits")
@pytest.mark.parametrize("witness", WITNESSES)
def test_the_fix_mends_what_fails(witness: Witness, tmp_path: Path):
    require(witness)
    fixed = tmp_path / witness.program.name
    fixed.write_text(_fixed(witness, tmp_path), encoding="utf-8")

    horovod = witness.stack.startswith("horovod.")
    faulty = launch(witness.program, tmp_path / "as_it_is", nodes=witness.nodes, alone=witness.alone, horovod=horovod)
    print(fixed.read_text(encoding="utf-8"))
    mended = launch(fixed, tmp_path / "fixed", nodes=witness.nodes, alone=witness.alone, horovod=horovod)

    assert mended.outcome == "ends"
    assert len(set(mended.results)) == 1
    assert _outcome(faulty, mended) == witness.outcome
    assert any(witness.text in error for error in faulty.errors)
    write_down(witness)


def _fixed(witness: Witness, folder: Path) -> str:
    """The program with the fix, or its twin; the linter must see the fault, and no other, and must see it mended."""
    mended = mend_program(witness.program, folder)
    assert {mark.rule for mark in mended.first} == {witness.rule}
    if witness.twin is None:
        assert not mended.left
        return mended.texts[witness.program.name]
    (folder / "twin").mkdir()
    assert not mend_program(witness.twin, folder / "twin").first
    return witness.twin.read_text(encoding="utf-8")


def _outcome(faulty: Run, mended: Run) -> str:
    if faulty.outcome != "ends":
        return faulty.outcome
    if len(set(faulty.results)) > 1:
        return "differs"
    return "wrong" if faulty.results != mended.results else "ends"
