"""Whether a check would find the same again."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ddl_lint.project import project_context
from ddl_lint.project.inputs import Inputs
from ddl_lint.storage import digest, stamp


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("train.py", "lib/model.py", "run.sh"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
        os.utime(tmp_path / name, (1000, 1000))
    return tmp_path


def noted(root: Path) -> Inputs:
    """The inputs of a check, as another process gets them."""
    inputs = Inputs()
    for name in ("train.py", "lib/model.py", "gone.py"):
        path = root / name
        inputs.file(str(path), stamp(str(path)), digest(path.read_bytes()) if path.exists() else "")
    inputs.files([root / "run.sh"])
    inputs.tree(root)
    project_context.forget()
    return Inputs(inputs.plain())


def test_nothing_has_changed(root: Path) -> None:
    inputs = noted(root)
    assert inputs.refreshed() is inputs


def test_times_alone_mean_nothing(root: Path) -> None:
    inputs = noted(root)
    os.utime(root / "train.py", (2000, 2000))
    now = inputs.refreshed()
    assert now is not None and now is not inputs
    assert now.refreshed() is now


def test_a_file_that_was_just_written_is_read_again(root: Path) -> None:
    (root / "train.py").write_text("young")
    inputs = noted(root)
    before = stamp(str(root / "train.py"))
    (root / "train.py").write_text("other")
    os.utime(root / "train.py", ns=(before[0], before[0]) if before else None)
    assert inputs.refreshed() is None


CHANGES: dict[str, Callable[[Path], object]] = {
    "content": lambda root: (root / "lib" / "model.py").write_text("lib/MODEL.py"),
    "launch": lambda root: (root / "run.sh").write_text("torchrun"),
    "gone": lambda root: (root / "lib" / "model.py").unlink(),
    "come": lambda root: (root / "gone.py").write_text(""),
    "new": lambda root: (root / "lib" / "new.py").write_text(""),
    "new launch": lambda root: (root / "other.sh").write_text(""),
    "moved": lambda root: (root / "lib").rename(root / "library"),
    "folder": lambda root: ((root / "train.py").unlink(), (root / "train.py").mkdir()),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_check_can_see(root: Path, change: str) -> None:
    inputs = noted(root)
    CHANGES[change](root)
    assert inputs.refreshed() is None


def test_what_a_check_cannot_see(root: Path) -> None:
    inputs = noted(root)
    (root / "notes.txt").write_text("")
    (root / "__pycache__").mkdir()
    (root / "__pycache__" / "train.py").write_text("")
    assert inputs.refreshed() is inputs


def test_installed_packages(root: Path) -> None:
    inputs = noted(root)
    inputs.unchanged({str(root / "lib"): stamp(str(root / "lib")), str(root / "none"): None})
    assert inputs.refreshed() is inputs
    (root / "none").mkdir()
    assert inputs.refreshed() is None


def test_what_is_found_is_found_again_up_to_a_day(monkeypatch):
    inputs = Inputs()
    inputs.until("2031-05-03")
    inputs.until("")
    inputs.until("2031-05-02")
    kept = Inputs(inputs.plain())
    monkeypatch.setattr("ddl_lint.project.inputs.today", lambda: "2031-05-02")
    assert kept.refreshed() is kept
    monkeypatch.setattr("ddl_lint.project.inputs.today", lambda: "2031-05-03")
    assert kept.refreshed() is None
