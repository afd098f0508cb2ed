"""The faults of launches and their fixes under the real launchers: a shell runs the script as a person would.

Each folder is named after its rule. The first line of its `run.sh` tells how the launch fails, as that of a program
does (`witnesses.py`). Where the rule has no fix, a folder `RULE.good` beside it shows the right way.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from programs import mend_program
from sightings import require, write_down
from witnesses import Witness, launch_witnesses

WITNESSES = [
    pytest.param(witness, id=witness.name, marks=getattr(pytest.mark, witness.environment))
    for witness in launch_witnesses()
]
_LIMIT = 900.0
"""Seconds after which a launch is given up; none of these waits for anything."""


class Outcome(NamedTuple):
    """How a launch has ended."""

    code: int
    text: str
    """What it has written."""

    @property
    def results(self) -> list[str]:
        """What its processes have come to, in any order; some launchers put before it which process said so."""
        return sorted(re.findall(r"result:.*", self.text))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a shell")
@pytest.mark.parametrize("witness", WITNESSES)
def test_the_fix_mends_the_launch(witness: Witness, tmp_path: Path) -> None:
    require(witness)
    right = _fixed(witness, tmp_path)
    as_it_is = Path(shutil.copytree(witness.program, tmp_path / "as_it_is"))

    faulty, mended = _launch(as_it_is), _launch(right)

    print(faulty.text, mended.text, sep="\n")
    assert mended.code == 0
    assert mended.results
    assert _outcome(faulty, mended) == witness.outcome
    assert witness.text in faulty.text
    write_down(witness)


def _outcome(faulty: Outcome, mended: Outcome) -> str:
    if faulty.code != 0:
        return "crashes"
    return "wrong" if faulty.results != mended.results else "ends"


def _fixed(witness: Witness, folder: Path) -> Path:
    """The folder with the fix, or its twin; the linter must see the fault, and no other, and must see it mended."""
    mended = mend_program(witness.program, folder)
    assert {mark.rule for mark in mended.first} == {witness.rule}
    if witness.twin is None:
        assert not mended.left
        for name, text in mended.texts.items():
            (folder / "mended" / name).write_text(text, encoding="utf-8")
        return folder / "mended"
    twin = folder / "twin"
    twin.mkdir()
    assert not mend_program(witness.twin, twin).first
    return twin / "mended"


def _launch(folder: Path) -> Outcome:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    tools = Path(sys.executable).parent.as_posix()
    variables = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "PORT": str(port)}
    shell = shutil.which("bash") or "sh"
    done = subprocess.run([shell, "run.sh"], cwd=folder, env=variables, capture_output=True, text=True, timeout=_LIMIT)
    return Outcome(done.returncode, done.stdout + done.stderr)
