"""The faulty project in a folder of its own, and what its editors need."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from editor_programs import REQUIRED, Program, missing_is_failure
from faulty_project import CHECKPOINT, EVALUATE, ROOT, TRAIN, Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """The project in a folder of its own, whose name has letters and a blank that a URI must quote."""
    folder = tmp_path / "größe 1"
    folder.mkdir()
    target, other = folder / "checkpoint.py", folder / "train.py"
    target.write_bytes(CHECKPOINT.encode())
    other.write_bytes(TRAIN.encode())
    (folder / "evaluate.py").write_text(EVALUATE)
    (folder / "pyproject.toml").write_text("[tool.ddl-lint]\n")
    found = "model.state_dict()"
    line = next(number for number, text in enumerate(CHECKPOINT.split("\n")) if found in text)
    before = CHECKPOINT.split("\n")[line].partition(found)[0]
    columns = {
        unit: (width, width + len(found))
        for unit, width in (
            ("utf-8", len(before.encode())),
            ("utf-16", len(before.encode("utf-16-le")) // 2),
            ("utf-32", len(before)),
        )
    }
    home = tmp_path / "home"
    home.mkdir()
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TERM": "xterm-256color",
        **{f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE", "RUNTIME")},
    }
    mended = CHECKPOINT.replace(found, "model.module.state_dict()").encode()
    return Project(folder, target, other, mended, "Save the state of the inner model", line, columns, environment)


@pytest.fixture
def present() -> Callable[[Program | None, str], Program]:
    """Insist on an editor: without it, the test is skipped, or fails where `make test-editors` asks for all."""

    def insist(program: Program | None, name: str) -> Program:
        if program is not None:
            return program
        if missing_is_failure():
            pytest.fail(f"{name} is not installed, and {REQUIRED} is set: run tests/editors/install.sh")
        pytest.skip(f"{name} is not installed: tests/editors/install.sh does that")

    return insist


@pytest.fixture
def configured(project: Project) -> Callable[[str, str], Path]:
    """Put a folder of `editors/` where the editor looks for its configuration, as the documentation tells people to."""

    def copy(folder: str, name: str) -> Path:
        to = Path(project.environment["XDG_CONFIG_HOME"]) / name
        shutil.copytree(ROOT / "editors" / folder, to)
        return to

    return copy
