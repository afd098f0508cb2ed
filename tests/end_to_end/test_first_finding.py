"""The steps of docs/first-finding.md, as a reader types them."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "first-finding.md"


def _steps() -> list[list[str]]:
    """The arguments of each command that the page runs in the example."""
    part = PAGE.read_text(encoding="utf-8").partition("cd examples/hang\n")[2].partition("## Your own")[0]
    return [shlex.split(line)[1:] for line in re.findall(r"^ddl-lint .*$", part, re.MULTILINE)]


@pytest.mark.slow
def test_each_step_does_what_the_page_says(tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "hang" / "train.py", tmp_path)
    said: list[tuple[int, str]] = []
    for arguments in _steps():
        command = [sys.executable, "-I", "-m", "ddl_lint", *arguments]
        result = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
        said.append((result.returncode, result.stdout + result.stderr))
    check, trace, at_line, page, diff, fix, after = said
    assert check[0] == 1 and "Hang: the other ranks return before `all_reduce`" in check[1]
    assert trace[0] == 0 and "Hang: the ranks do not meet in 1 place" in trace[1]
    assert at_line[0] == 0 and "rank 0 executes it" in at_line[1]
    assert page[0] == 0 and "</html>" in (tmp_path / "ranks.html").read_text(encoding="utf-8")
    assert diff[0] == 1 and "+    dist.all_reduce(sums)" in diff[1]
    assert fix[0] == 0, fix[1]
    assert after[0] == 0 and "No problems found" in after[1]
