"""Emacs with eglot, in batch mode: it is sent its findings and counts columns in UTF-16 units."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from editor_programs import Program, emacs
from faulty_project import HERE, ROOT, Project


def test_a_finding_of_two_files_is_seen_fixed_and_saved(
    project: Project, present: Callable[[Program | None, str], Program], tmp_path: Path
) -> None:
    program = present(emacs(), "Emacs")
    report = tmp_path / "report.json"
    run = subprocess.run(
        [*program.command, "--batch", "-l", str(HERE / "emacs" / "drive.el")],
        env={
            **os.environ,
            **project.environment,
            "DRIVE_CONFIGURATION": str(ROOT / "editors" / "emacs" / "ddl-lint.el"),
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
    assert seen["failure"] is None, (seen, run.stderr)
    assert seen["steps"] == ["found", "gone with its cause", "back with its cause", "fixed", "clean", "saved"]
    (finding,) = seen["first"]
    assert (finding["line"], (finding["from"], finding["to"])) == (project.line, project.columns["utf-32"])
    assert "a plain model cannot load its `module.` keys" in finding["text"]
    assert project.target.read_bytes() == project.mended
