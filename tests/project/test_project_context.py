"""What belongs to the project around the checked files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ddl_lint.project import project_context
from ddl_lint.project.project_context import forget, job_files, projects, python_files


@pytest.fixture
def write(tmp_path):
    def write(*names):
        for name in names:
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        return [tmp_path / name for name in names]

    return write


@pytest.fixture(autouse=True)
def fresh():
    forget()


@pytest.mark.parametrize("marker", ["pyproject.toml", "setup.py", "ddl-lint.toml", ".git/HEAD"])
def test_a_mark_makes_a_project_of_all_below_it(write, tmp_path, marker):
    write(marker)
    files = write("src/model/a.py", "src/data/b.py")
    assert projects(files) == {tmp_path: files}
    assert projects(files[:1]) == {tmp_path: files[:1]}


def test_without_a_mark_it_is_what_the_files_have_in_common(write, tmp_path):
    files = write("src/model/a.py", "src/data/b.py")
    assert projects(files) == {tmp_path / "src": files}
    assert projects([]) == {}


def test_packages_of_a_repository_are_one_project(write, tmp_path):
    write(".git/HEAD", "packages/a/pyproject.toml", "packages/b/setup.py", "examples/setup.cfg")
    files = write("packages/a/a.py", "packages/b/b.py", "examples/c.py", "tool.py")
    assert projects(files) == {tmp_path: files}
    assert python_files(tmp_path) == [files[3], files[2], *files[:2], tmp_path / "packages/b/setup.py"]


def test_packages_below_a_mark_are_one_project_without_a_repository_too(write, tmp_path):
    write("pyproject.toml", "packages/a/pyproject.toml")
    assert projects(write("packages/a/a.py")).keys() == {tmp_path}


def test_a_system_without_accounts_has_projects(write, tmp_path, monkeypatch):
    """As Python in a browser."""
    monkeypatch.setitem(sys.modules, "pwd", None)
    files = write("pyproject.toml", "src/a.py")[1:]
    assert projects(files) == {tmp_path: files}


@pytest.mark.parametrize("marker", [".git/HEAD", ".git", ".hg/store"])
def test_a_repository_in_another_one_is_a_project_by_itself(write, tmp_path, marker):
    write(".git/HEAD", f"third_party/clone/{marker}")
    outer, inner = write("train.py", "third_party/clone/lib/train.py")
    write("third_party/clone/run.sh")
    assert projects([outer, inner]) == {tmp_path: [outer], tmp_path / "third_party" / "clone": [inner]}
    assert python_files(tmp_path) == [outer]
    assert job_files(tmp_path) == []
    assert python_files(tmp_path / "third_party" / "clone") == [inner]


@pytest.mark.parametrize("marker", [".git/HEAD", "pyproject.toml", "setup.py"])
def test_clones_in_one_folder_know_nothing_of_each_other(write, tmp_path, marker):
    write(f"one/{marker}", f"two/{marker}")
    loose, first, second = write("loose.py", "one/train.py", "two/train.py")
    found = projects([loose, first, second])
    assert found == {tmp_path: [loose], tmp_path / "one": [first], tmp_path / "two": [second]}
    assert python_files(tmp_path) == [loose]


def test_a_module_that_is_called_setup_marks_nothing(write, tmp_path):
    train, module = write("train.py", "common/setup.py")
    module.write_text("def setup():\n    pass\n")
    assert projects([train, module]) == {tmp_path: [train, module]}
    assert python_files(tmp_path) == [train, module]
    module.write_text("from setuptools import setup\n\nsetup()\n")
    forget()
    assert projects([train, module]) == {tmp_path / "common": [module], tmp_path: [train]}


def test_a_mark_in_the_home_folder_says_nothing_of_what_is_below(write, tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    write(".git/HEAD", "work/project/setup.cfg")
    inner, loose = write("work/project/src/a.py", "notes/b.py")
    assert projects([inner]) == {tmp_path / "work" / "project": [inner]}
    assert projects([loose]) == {tmp_path: [loose]}


def test_files_of_the_project(write, tmp_path):
    files = write("a.py", "launch.sh", "src/b.py")
    write("notes.txt", ".venv/lib/c.py", ".hidden/d.py", "build/e.py")
    assert python_files(tmp_path) == [files[0], files[2]]
    assert job_files(tmp_path) == [files[1]]


def test_the_search_ends_where_no_project_is(write, tmp_path, monkeypatch):
    write(*(f"folder_{number:02}/a.py" for number in range(20)))
    monkeypatch.setattr(project_context, "_MOST_LOOKED_AT", 10)
    assert len(python_files(tmp_path)) == 5
