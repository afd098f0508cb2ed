"""Which files are checked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ddl_lint.project import config
from ddl_lint.project.config import Settings
from ddl_lint.project.discover import discover


@pytest.fixture(autouse=True)
def fresh():
    config.forget()


def tree(root: Path, *files: str) -> None:
    for name in files:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("", encoding="utf-8")


def found(root: Path, *paths: Path, settings: Settings | None = None, **options: bool) -> list[str]:
    settings_for = (lambda path: settings) if settings else config.resolve
    files, problems = discover(paths or [root], settings_for, **options)
    assert problems == ()
    return [file.relative_to(root).as_posix() for file in files]


def test_python_files_and_notebooks_sorted(tmp_path):
    tree(tmp_path, "b.py", "a/z.py", "a/n.ipynb", "a/stub.pyi", "readme.md", "a.py")
    assert found(tmp_path) == ["a/n.ipynb", "a/z.py", "a.py", "b.py"]


def test_default_excludes(tmp_path):
    tree(tmp_path, "a.py", ".venv/x.py", "src/__pycache__/x.py", "build/x.py", "node_modules/a/x.py", ".git/x.py")
    assert found(tmp_path) == ["a.py"]


def test_a_folder_that_is_asked_for_is_walked_whatever_its_name(tmp_path):
    tree(tmp_path, "build/x.py", "build/.venv/y.py", "build/lib/z.py")
    assert found(tmp_path, tmp_path / "build") == ["build/lib/z.py", "build/x.py"]
    assert found(tmp_path, tmp_path / "build", settings=Settings(root=tmp_path)) == ["build/lib/z.py", "build/x.py"]


def test_a_file_that_is_asked_for_is_checked_unless_forced(tmp_path):
    tree(tmp_path, "build/x.py", "script")
    assert found(tmp_path, tmp_path / "build" / "x.py", tmp_path / "script") == ["build/x.py", "script"]
    settings = Settings(root=tmp_path)
    assert found(tmp_path, tmp_path / "build" / "x.py", settings=settings, force_exclude=True) == []


def test_of_given_files_those_that_nobody_reads_are_left_out_if_forced(tmp_path):
    names = ("LICENSE", "README.md", "a.py", "notes.txt", "requirements.txt", "run.slurm", "stub.pyi", "x.toml")
    tree(tmp_path, *names)
    (tmp_path / "script").write_text("#!/usr/bin/env python3\n")
    (tmp_path / "launch").write_text("#!/bin/sh\npython a.py\n")
    given = [tmp_path / name for name in (*names, "script", "launch")]
    assert found(tmp_path, *given, force_exclude=True) == ["a.py", "requirements.txt", "run.slurm", "script"]


def test_excluding_by_glob(tmp_path):
    tree(tmp_path, "a.py", "gen/a.py", "src/gen/a.py", "src/a_pb2.py", "build/a.py")
    assert found(tmp_path, settings=Settings(extend_exclude=("gen",))) == ["a.py", "src/a_pb2.py"]
    assert found(tmp_path, settings=Settings(extend_exclude=("/gen", "*_pb2.py"))) == ["a.py", "src/gen/a.py"]
    assert found(tmp_path, settings=Settings(exclude=("src/*",))) == ["a.py", "build/a.py", "gen/a.py"]


def test_globs_are_relative_to_the_configuration(tmp_path):
    tree(tmp_path, "src/gen/a.py", "src/b.py")
    (tmp_path / "ddl-lint.toml").write_text("extend-exclude = ['src/gen']", encoding="utf-8")
    assert found(tmp_path, tmp_path / "src") == ["src/b.py"]


def test_gitignore(tmp_path):
    tree(tmp_path, "a.py", "out/a.py", "src/b.py", "src/c.py", "src/keep/d.py", "src/out/e.py")
    (tmp_path / ".gitignore").write_text("/out/\nc.py\nkeep/\n", encoding="utf-8")
    (tmp_path / "src" / ".gitignore").write_text("!c.py\n/out\n", encoding="utf-8")
    assert found(tmp_path) == ["a.py", "src/b.py", "src/c.py"]


def test_gitignore_above_counts_within_a_repository_only(tmp_path):
    tree(tmp_path, "src/a.py", "src/b.py")
    (tmp_path / ".gitignore").write_text("a.py\n", encoding="utf-8")
    assert found(tmp_path, tmp_path / "src") == ["src/a.py", "src/b.py"]
    (tmp_path / ".git").mkdir()
    assert found(tmp_path, tmp_path / "src") == ["src/b.py"]


def test_an_ignored_folder_that_is_asked_for_is_walked(tmp_path):
    tree(tmp_path, "out/a.py", "out/b.py")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("/out/\nb.py\n", encoding="utf-8")
    assert found(tmp_path, tmp_path / "out") == ["out/a.py"]


def test_a_file_is_found_once(tmp_path):
    tree(tmp_path, "src/a.py")
    assert found(tmp_path, tmp_path, tmp_path / "src", tmp_path / "src" / "a.py") == ["src/a.py"]


def test_links_to_folders_are_not_followed(tmp_path):
    tree(tmp_path, "src/a.py")
    try:
        (tmp_path / "src" / "loop").symlink_to(tmp_path, target_is_directory=True)
        (tmp_path / "src" / "link.py").symlink_to(tmp_path / "src" / "a.py")
        (tmp_path / "src" / "gone.py").symlink_to(tmp_path / "nowhere.py")
    except OSError:
        pytest.skip("no symbolic links here")
    assert found(tmp_path) == ["src/a.py"]


def test_a_file_of_several_names_is_checked_once_unless_it_is_asked_for_by_name(tmp_path):
    tree(tmp_path, "lib/a.py", "src/b.py")
    try:
        for name in ("b.py", "c.py"):
            (tmp_path / "lib" / name).symlink_to(tmp_path / "src" / "b.py")
    except OSError:
        pytest.skip("no symbolic links here")
    assert found(tmp_path) == ["lib/a.py", "src/b.py"]
    assert found(tmp_path, settings=Settings(exclude=("src",))) == ["lib/a.py", "lib/b.py"]
    assert found(tmp_path, tmp_path, tmp_path / "lib" / "c.py") == ["lib/a.py", "lib/c.py", "src/b.py"]


def test_a_missing_path_is_a_problem(tmp_path):
    tree(tmp_path, "a.py")
    files, problems = discover([tmp_path / "no.py", tmp_path], config.resolve)
    assert files == (tmp_path / "a.py",)
    assert problems == ((str(tmp_path / "no.py"), "no such file or folder"),)


def test_an_unreadable_folder_is_a_problem(tmp_path, monkeypatch):
    tree(tmp_path, "a.py", "locked/b.py")
    scandir = os.scandir

    def locked(folder):
        if Path(folder).name == "locked":
            raise PermissionError(13, "Permission denied")
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", locked)
    files, problems = discover([tmp_path], config.resolve)
    assert files == (tmp_path / "a.py",)
    assert problems == ((str(tmp_path / "locked"), "cannot be looked into: Permission denied"),)


def test_a_broken_configuration_is_told_once_and_costs_only_its_own_files(tmp_path):
    tree(tmp_path, "a.py", "bad/b.py", "bad/deep/c.py", "bad/good/d.py", "bad/.venv/e.py")
    (tmp_path / "bad" / "ddl-lint.toml").write_text("x = 1", encoding="utf-8")
    (tmp_path / "bad" / "good" / "ddl-lint.toml").write_text("root = true", encoding="utf-8")
    files, problems = discover([tmp_path, tmp_path / "bad" / "b.py"], config.resolve)
    assert [file.name for file in files] == ["a.py", "d.py"]
    assert problems == ((f"{tmp_path / 'bad' / 'ddl-lint.toml'}:1", "unknown key `x`"),)


def test_a_bad_line_in_gitignore_is_passed_over(tmp_path):
    tree(tmp_path, "a.py", "b.py")
    (tmp_path / ".gitignore").write_text("!\nb.py\n", encoding="utf-8")
    assert "a.py" in found(tmp_path)
