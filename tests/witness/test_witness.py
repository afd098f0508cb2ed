"""The faults and their fixes under the real framework: two processes on the CPU, joined by gloo.

Each program in `programs/` is named after a rule. The linter must find that rule in it, and nothing else; as it is, it
must fail in the way that its first line tells; with the fix, all of its processes must end well and tell the same.
Where a rule has no fix, a program `NAME.good.py` beside it shows the right way.

    # witness: hangs       the processes wait for each other, or break off when one of them has gone
    # witness: crashes     one of them ends with an error of its own
    # witness: differs     they print different results, where all should print the same
    # witness: wrong       they print the same result, but not the one of the fixed program

What was seen is written down for the rules' pages where `DDL_LINT_WITNESSED` names the file, as `make witness` does.

Needs PyTorch, which nothing else here does: without it the tests are skipped (`make witness` installs it).
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import pytest

from programs import mend_program

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs PyTorch"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc, to see who waits"),
]

_TWIN = ".good.py"
PROGRAMS = [file for file in sorted((Path(__file__).parent / "programs").glob("*.py")) if not file.name.endswith(_TWIN)]
_HEAD = re.compile(r"# witness: (hangs|crashes|differs|wrong)(?: on (\d) nodes)?")
_LOST = re.compile("Connection (closed|reset) by peer|Broken pipe")
"""What gloo says where other backends wait: the other process has gone."""

_PROCESSES = 2
_IDLE = 8.0
"""Seconds without any work of the processor after which processes are taken to wait for each other."""


def launch(program: Path, folder: Path, nodes: int) -> tuple[str, list[str]]:
    """Run a program as a launcher does.

    Returns:
        `hangs`, `crashes` or `ends`, and what each process has printed as its result.
    """
    folder.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    common = {**os.environ, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "OMP_NUM_THREADS": "1"}
    common |= {"WORLD_SIZE": str(_PROCESSES), "LOCAL_WORLD_SIZE": str(_PROCESSES // nodes)}
    common |= {"CUDA_VISIBLE_DEVICES": "", "PYTHONDONTWRITEBYTECODE": "1"}
    processes = [
        subprocess.Popen(
            [sys.executable, str(program)],
            cwd=folder,
            env={**common, "RANK": str(rank), "LOCAL_RANK": str(rank % (_PROCESSES // nodes))},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(_PROCESSES)
    ]
    outcome = "ends"
    worked, since = -1.0, time.monotonic()
    try:
        while any(process.poll() is None for process in processes):
            if any(process.poll() for process in processes):  # a launcher stops the others then
                break
            now = sum(_work(process) for process in processes)
            if now > worked + 0.05:
                worked, since = now, time.monotonic()
            elif time.monotonic() - since > _IDLE:
                outcome = "hangs"
                break
            time.sleep(0.1)
        if any(process.poll() for process in processes):
            outcome = "crashes"
    finally:
        for process in processes:
            process.kill()
    results: list[str] = []
    errors: list[str] = []
    for process in processes:
        out, error = process.communicate()
        results.append("\n".join(line for line in out.splitlines() if line.startswith("result:")))
        errors.append(error)
    if outcome == "crashes" and all(_LOST.search(error) for error in errors if "Error" in error):
        outcome = "hangs"
    print(program, outcome, *(error[-1000:] for error in errors), sep="\n")
    return outcome, results


def _work(process: subprocess.Popen[str]) -> float:
    """The seconds of the processor that a process and its children have had; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def test_there_are_enough():
    assert len(PROGRAMS) >= 12


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem.replace("_", "-"))
def test_the_fix_mends_what_fails(program, tmp_path):
    text = program.read_text(encoding="utf-8")
    head = _HEAD.match(text)
    assert head, "the first line says how the program fails"
    expected, nodes = head[1], int(head[2] or 1)
    rule = program.stem.replace("_", "-")

    outcome, results = launch(program, tmp_path / "as_it_is", nodes)
    mended = mend_program(program, tmp_path)
    assert {mark.rule for mark in mended.first} == {rule}
    twin = program.with_name(program.stem + _TWIN)
    if twin.exists():
        assert mended.left
        (tmp_path / "twin").mkdir()
        mended = mend_program(twin, tmp_path / "twin")
        assert not mended.first
        text_of_fixed = twin.read_text(encoding="utf-8")
    else:
        text_of_fixed = mended.texts[program.name]
    assert not mended.left
    fixed = tmp_path / program.name
    fixed.write_text(text_of_fixed, encoding="utf-8")
    print(fixed.read_text(encoding="utf-8"))
    fixed_outcome, fixed_results = launch(fixed, tmp_path / "fixed", nodes)

    assert fixed_outcome == "ends"
    assert len(set(fixed_results)) == 1
    if expected == "differs":
        assert outcome == "ends"
        assert len(set(results)) > 1
    elif expected == "wrong":
        assert outcome == "ends"
        assert results != fixed_results
    else:
        assert outcome == expected
    write_down(rule, expected)


def write_down(rule: str, outcome: str) -> None:
    """Keep what was seen of a rule, beside what is known of the others."""
    if "DDL_LINT_WITNESSED" in os.environ:
        file = Path(os.environ["DDL_LINT_WITNESSED"])
        known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        version = metadata.version("torch").partition("+")[0]
        known[rule] = {"package": "torch", "version": version, "outcome": outcome}
        file.write_text(json.dumps(dict(sorted(known.items())), indent=2) + "\n", encoding="utf-8")
