"""What belongs to the project around the checked files."""

from __future__ import annotations

import pytest

from ddl_lint.project import surroundings
from ddl_lint.project.surroundings import launch_files, project_root, python_files


@pytest.fixture
def write(tmp_path):
    def write(*names):
        for name in names:
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        return [tmp_path / name for name in names]

    return write


@pytest.mark.parametrize("marker", ["pyproject.toml", "setup.py", "ddl-lint.toml", ".git/HEAD"])
def test_the_root_is_the_nearest_folder_with_a_marker(write, tmp_path, marker):
    write(marker)
    assert project_root(write("src/model/a.py", "src/data/b.py")) == tmp_path
    (nested,) = write("src/model/setup.cfg")
    assert project_root([nested.with_name("a.py")]) == nested.parent


def test_without_a_marker_it_is_what_the_files_have_in_common(write, tmp_path):
    assert project_root(write("src/model/a.py", "src/data/b.py")) == tmp_path / "src"


def test_files_of_the_project(write, tmp_path):
    files = write("a.py", "launch.sh", "src/b.py")
    write("notes.txt", ".venv/lib/c.py", ".hidden/d.py", "build/e.py")
    assert python_files(tmp_path) == [files[0], files[2]]
    assert launch_files(tmp_path) == [files[1]]


def test_the_search_ends_where_no_project_is(write, tmp_path, monkeypatch):
    write(*(f"folder_{number:02}/a.py" for number in range(20)))
    monkeypatch.setattr(surroundings, "_MOST_LOOKED_AT", 10)
    assert len(python_files(tmp_path)) == 5
