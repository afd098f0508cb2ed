"""Launch files are read again only after something has changed that their meaning is made of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ddl_lint.check.kept_jobs import KeptJobs
from ddl_lint.check.project_files import project_jobs
from ddl_lint.jobs.project_jobs import Jobs
from ddl_lint.project.contents import Contents, Memory
from ddl_lint.project.project_context import forget, python_files

_FILES = {
    "train.py": "if __name__ == '__main__':\n    pass\n",
    "helper.py": "VALUE = 1\n",
    "pyproject.toml": "[project]\nname = 'x'\n",
    "run.sh": "torchrun --nproc_per_node 2 train.py\n",
    "README.md": "Run it:\n\n```sh\nbash run.sh\n```\n",
    ".gitmodules": '[submodule "x"]\n\tpath = x\n',
}


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    for name, text in _FILES.items():
        (tmp_path / name).write_text(text)
    forget()
    yield tmp_path
    forget()


def _jobs(root: Path, kept: dict[Path, KeptJobs], overlay: dict[str, str] | None = None) -> Jobs:
    forget()
    files = Contents({(root / name).as_posix(): text for name, text in (overlay or {}).items()}, Memory())
    jobs = project_jobs(root, files, (path.as_posix() for path in python_files(root)), (), kept)
    assert jobs.submodules == (f"{root.as_posix()}/x/",)
    assert len(jobs.launches) == 1
    return jobs


def test_the_same_files_are_read_once(root: Path) -> None:
    kept: dict[Path, KeptJobs] = {}
    jobs = _jobs(root, kept)
    assert _jobs(root, kept) is jobs
    assert _jobs(root, kept, {"helper.py": "VALUE = 2\n"}) is jobs


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.sh", "torchrun --nproc_per_node 3 train.py\n"),
        ("README.md", "```sh\ntorchrun train.py\n```\n"),
        ("pyproject.toml", "[project]\nname = 'y'\n"),
        ("requirements.txt", "torch==2.4.0\n"),
        ("more/other.py", "print()\n"),
        ("more/other.ipynb", "{}"),
        ("more/setup.py", "print()\n"),
        (".gitmodules", '[submodule "x"]\n\tpath = x\n\turl = y\n'),
    ],
)
def test_what_has_changed_is_read(root: Path, name: str, text: str) -> None:
    kept: dict[Path, KeptJobs] = {}
    jobs = _jobs(root, kept)
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text(text)
    now = _jobs(root, kept)
    assert now is not jobs
    assert _jobs(root, kept) is now


def test_a_program_that_becomes_a_script_changes_what_is_near(root: Path) -> None:
    (root / "one").mkdir()
    (root / "one" / "run.sh").write_text("")
    (root / "one" / "part.py").write_text("VALUE = 1\n")
    kept: dict[Path, KeptJobs] = {}
    jobs = _jobs(root, kept)
    place = (root / "one" / "run.sh").as_posix()
    assert jobs.neighbourhood.home(place) == root.as_posix()
    now = _jobs(root, kept, {"one/part.py": "if __name__ == '__main__':\n    print()\n"})
    assert now.neighbourhood.home(place) == (root / "one").as_posix()
    assert now is not jobs
