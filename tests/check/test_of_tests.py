"""What only a runner of tests starts is followed where somebody asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddl_lint.check.engine import check_project
from ddl_lint.project.config import Settings
from ddl_lint.project.discover import is_of_tests
from ddl_lint.registry.rules import load_rules

_TEST = """
import torch.distributed as dist


def check_all():
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        dist.barrier()
"""
_SCRIPT = f"{_TEST}\n\nif __name__ == '__main__':\n    check_all()\n"


def _found(root: Path, files: dict[str, str], *, include: bool = False, named: str = "", opened: str = "") -> set[str]:
    (root / "ddl-lint.toml").touch()
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    settings = Settings(hints=True, include_tests=include)
    given = [(root / named).as_posix()] if named else ()
    overlay = {(root / opened).as_posix(): files[opened]} if opened else None
    report = check_project(sorted(root.rglob("*.py")), lambda _: settings, load_rules(), named=given, overlay=overlay)
    found = (each for each in report.findings if each.name == "collective-under-rank-guard")
    return {Path(each.location.path).relative_to(root).as_posix() for each in found}


@pytest.mark.parametrize("path", ["tests/shared.py", "test_group.py", "unit/group_test.py", "conftest.py"])
def test_a_test_is_followed_where_it_is_meant(tmp_path: Path, path: str) -> None:
    files = {path: _TEST, "library.py": _TEST}
    assert _found(tmp_path, files) == {"library.py"}
    assert _found(tmp_path, files, include=True) == {"library.py", path}
    assert _found(tmp_path, files, named=path) == {"library.py", path}
    assert _found(tmp_path, files, opened=path) == {"library.py", path}


def test_a_script_among_tests_is_followed(tmp_path: Path) -> None:
    assert _found(tmp_path, {"tests/run.py": _SCRIPT}) == {"tests/run.py"}


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("/x/tests", True),
        ("/x/tests/unit", True),
        ("/x/test_a.py", True),
        ("/x/testing/a.py", False),
        ("/x/contest.py", False),
        ("/x/test_data", False),
    ],
)
def test_paths_of_tests(path: str, is_test: bool) -> None:
    assert is_of_tests(path) is is_test


def test_only_folders_below_the_project_count() -> None:
    assert not is_of_tests("/home/tests/x/a.py", "/home/tests/x")
