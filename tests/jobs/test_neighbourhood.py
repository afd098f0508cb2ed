"""Which files are near a script, and which are a neighbour's."""

from __future__ import annotations

import pytest

from ddl_lint.jobs.neighbourhood import Neighbourhood

_PROGRAMS = (
    "old/train.py",
    "old/lib/model.py",
    "new/main.py",
    "new/tools/convert.py",
    "vision/pkg/__init__.py",
    "vision/pkg/net.py",
)
_SCRIPTS = frozenset({"old/train.py", "new/main.py", "new/tools/convert.py"})


def _neighbourhood(*programs: str, scripts: frozenset[str] = _SCRIPTS, packages: tuple[str, ...] = ()) -> Neighbourhood:
    def is_script(path: str) -> bool:
        return path.removeprefix("/mono/") in scripts

    paths = [f"/mono/{each}" for each in programs or _PROGRAMS]
    return Neighbourhood("/mono", paths, is_script, [f"/mono/{each}" for each in packages])


@pytest.mark.parametrize(
    ("file", "home"),
    [
        ("old/requirements.txt", "/old"),
        ("old/docker/gpu/Dockerfile", "/old"),
        ("old/whatever/run.sh", "/old"),  # below the folder of a script
        ("old/lib/model.py", "/old"),
        ("new/tools/run.sh", "/new/tools"),
        ("requirements.txt", ""),
        ("docker/Dockerfile", ""),
        (".github/workflows/test.yml", ""),
        ("ds_configs/zero.json", ""),
        ("third/run.sh", "/third"),  # another program, though there is no script in it
        ("third/docker/Dockerfile", "/third"),
        ("vision/pkg/net.py", "/vision"),
    ],
)
def test_the_folder_that_a_file_belongs_to(file: str, home: str) -> None:
    assert _neighbourhood().home(f"/mono/{file}") == f"/mono{home}"


@pytest.mark.parametrize(
    ("file", "script", "expected"),
    [
        ("old/requirements.txt", "old/train.py", True),
        ("old/requirements.txt", "new/main.py", False),
        ("requirements.txt", "new/main.py", True),
        ("scripts/env.sh", "new/main.py", True),
        ("old/scripts/env.sh", "new/main.py", False),
        ("new/tools/requirements.txt", "new/main.py", False),  # of a program further below
        ("new/requirements.txt", "new/tools/convert.py", True),
        ("new_too/requirements.txt", "new/main.py", False),
    ],
)
def test_which_files_speak_of_a_script(file: str, script: str, expected: bool) -> None:
    assert _neighbourhood().speaks_of(f"/mono/{file}", f"/mono/{script}") == expected


def test_programs_are_apart_when_neither_lies_below_the_other() -> None:
    near = _neighbourhood()
    assert near.are_apart("/mono/old/train.py", "/mono/new/main.py")
    assert not near.are_apart("/mono/new/run.sh", "/mono/new/tools/convert.py")
    assert not near.are_apart("/mono/scripts/run.sh", "/mono/new/main.py")
    assert not near.are_apart("/mono/old/lib/model.py", "/mono/old/train.py")


def test_without_a_script_all_files_belong_together() -> None:
    near = _neighbourhood("a/model.py", "b/model.py", scripts=frozenset())
    assert near.home("/mono/a/run.sh") == near.home("/mono/b/model.py") == "/mono"


@pytest.mark.parametrize(
    ("importer", "module", "expected"),
    [
        ("old/train.py", "old/deep/below/model.py", True),
        ("old/train.py", "new/helper.py", False),
        ("old/train.py", "vision/pkg/net.py", False),
        ("old/train.py", "src/pkg/net.py", True),
        ("old/train.py", "common.py", True),
        ("new/tools/convert.py", "new/net/model.py", True),  # a part of the program that `new/main.py` is
    ],
)
def test_which_modules_a_program_may_find_in_folders_that_it_adds(importer: str, module: str, expected: bool) -> None:
    assert _neighbourhood().reaches(f"/mono/{importer}", f"/mono/{module}") == expected


def test_a_package_that_can_be_installed_is_found_from_everywhere() -> None:
    near = _neighbourhood(packages=("vision",))
    assert near.reaches("/mono/old/train.py", "/mono/vision/pkg/net.py")
    assert not near.reaches("/mono/old/train.py", "/mono/new/helper.py")


def test_files_outside_of_the_project_stay_where_they_are() -> None:
    assert _neighbourhood().home("/elsewhere/run.sh") == "/elsewhere"
    assert Neighbourhood("/", ["/a/x.py"]).speaks_of("/requirements.txt", "/a/x.py")
