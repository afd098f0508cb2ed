"""What pins versions is parsed again only after it has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.check.pinned_versions import PinnedVersions
from ddl_lint.jobs import pins
from ddl_lint.jobs.pinning import PinningFile
from ddl_lint.project.inputs import Inputs


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "inner").mkdir()
    (tmp_path / "requirements.txt").write_text("torch==2.1.0\n")
    (tmp_path / "inner" / "requirements.txt").write_text("torch==2.4.0\n")
    return tmp_path


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many files were given each time that versions were read."""
    found: list[int] = []
    read = pins.read_versions

    def counted(files: list[PinningFile], target: dict[str, str]) -> object:
        found.append(len(files))
        return read(files, target)

    monkeypatch.setattr(pins, "read_versions", counted)
    return found


def _torch(root: Path, before: PinnedVersions | None = None) -> tuple[list[str], PinnedVersions]:
    pinned = PinnedVersions(root, Inputs(), before)
    paths = [(root / name).as_posix() for name in ("train.py", "inner/train.py")]
    versions = pinned.of({path: {} for path in paths})
    assert [pinned.of({path: {}}).of(path) for path in paths] == [versions.of(path) for path in paths]
    return [str(versions.of(path).ranges["torch"]) for path in paths], pinned


def test_the_same_files_are_parsed_once(root: Path, parsed: list[int]) -> None:
    told, pinned = _torch(root)
    assert parsed == [1, 2]
    assert _torch(root, pinned)[0] == told
    assert parsed == [1, 2]


def test_what_has_changed_is_parsed(root: Path, parsed: list[int]) -> None:
    told, pinned = _torch(root)
    (root / "inner" / "requirements.txt").write_text("torch==2.3.0\n")
    now, pinned = _torch(root, pinned)
    assert now[0] == told[0] and now[1] != told[1] and parsed == [1, 2, 2]
    (root / "uv.lock").write_text('version = 1\n[[package]]\nname = "torch"\nversion = "2.0.1"\n')
    assert _torch(root, pinned)[0] != now and parsed == [1, 2, 2, 2, 3]
