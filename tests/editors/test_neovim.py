"""Neovim, without a screen: 0.7 is sent its findings, 0.10 asks for them, and each counts columns in its own way."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from editor_programs import Program, neovim
from faulty_project import HERE, Project

# The Debian release that has it, and the configuration for it. Testing's Neovim changes: it is driven where it is
# there.
NEOVIMS = [("bookworm", "neovim/old"), ("trixie", "neovim/old"), ("forky", "neovim/new"), ("forky", "neovim/old")]


@pytest.mark.parametrize(("suite", "configuration"), NEOVIMS)
def test_a_finding_of_two_files_is_seen_fixed_and_saved(
    suite: str,
    configuration: str,
    project: Project,
    present: Callable[[Program | None, str], Program],
    configured: Callable[[str, str], Path],
    tmp_path: Path,
) -> None:
    program = neovim(suite)
    if program is None and suite == "forky":
        pytest.skip("the newest Neovim is not unpacked: tests/editors/install.sh forky does that")
    program = present(program, f"Neovim of Debian {suite}")
    configured(configuration, "nvim")
    report = tmp_path / "report.json"
    run = subprocess.run(
        [*program.command, "--headless", "-i", "NONE", "-n", "-S", str(HERE / "neovim" / "drive.lua")],
        env={
            **os.environ,
            **project.environment,
            **program.environment,
            "DRIVE_TARGET": str(project.target),
            "DRIVE_OTHER": str(project.other),
            "DRIVE_TITLE": project.title,
            "DRIVE_REPORT": str(report),
        },
        cwd=project.folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert report.exists(), run.stdout + run.stderr
    seen = json.loads(report.read_text())
    assert "failure" not in seen, seen
    assert seen["steps"] == ["found", "gone with its cause", "back with its cause", "fixed", "clean", "saved"]
    (finding,) = seen["first"]  # exactly one: a server that both sends findings and is asked for them shows each twice
    first, last = project.columns["utf-8"]
    assert finding == {"line": project.line, "from": first, "to": last, "code": "DDL305", "source": "ddl-lint"}
    assert seen["again"] == seen["first"]
    assert project.target.read_bytes() == project.mended


@pytest.mark.parametrize(("suite", "configuration"), [("bookworm", "neovim/old")])
def test_a_launch_file_is_checked_while_it_is_written(
    suite: str,
    configuration: str,
    project: Project,
    present: Callable[[Program | None, str], Program],
    configured: Callable[[str, str], Path],
    tmp_path: Path,
) -> None:
    program = present(neovim(suite), f"Neovim of Debian {suite}")
    configured(configuration, "nvim")
    script, report = project.folder / "run.sh", tmp_path / "report.json"
    script.write_text("#!/bin/bash\ntorchrun --nproc_per_nodes 4 train.py\n")
    run = subprocess.run(
        [*program.command, "--headless", "-i", "NONE", "-n", "-S", str(HERE / "neovim" / "drive_launch.lua")],
        env={
            **os.environ,
            **project.environment,
            **program.environment,
            "DRIVE_TARGET": str(script),
            "DRIVE_REPORT": str(report),
        },
        cwd=project.folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert report.exists(), run.stdout + run.stderr
    seen = json.loads(report.read_text())
    assert "failure" not in seen, seen
    assert seen["code"] == "DDL602" and len(seen["steps"]) == 4
    assert script.read_text() == "#!/bin/bash\ntorchrun --nproc_per_node 4 train.py\n"
