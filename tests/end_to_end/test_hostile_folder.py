"""Nothing of the folder that is checked is run, whatever modules it offers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hostile

pytestmark = pytest.mark.slow

FAULTY = "import torch.distributed as dist\n\nprint(dist.get_rank())\n"
_COMMENTS = "# as the driver wants it\n" * 30_000  # quickly read, but enough to be worth two processes
COMMAND = "import re, sys; from ddl_lint.__main__ import main; sys.argv[0] = 'ddl-lint'; sys.exit(main())"
"""What the installed program does, wherever that lies."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder to check, in which lowering takes two processes."""
    made = tmp_path / "checked"
    made.mkdir()
    for name in ("train", "evaluate"):
        (made / f"{name}_it.py").write_text(FAULTY + _COMMENTS)
    return made


def check(folder: Path, *start: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """Check a folder, with this in PYTHONPATH; nothing of it may run."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment |= {"DDL_LINT_CACHE_DIR": str(folder.parent / "cache")} | ({} if path is None else {"PYTHONPATH": path})
    line = [sys.executable, *start, "check", ".", "--jobs", "2", "--output-format", "concise"]
    result = subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert hostile.sprung(folder) == []
    assert result.returncode == 1, result.stderr
    assert [name for name in ("train_it.py:3", "evaluate_it.py:3") if name in result.stdout] == [
        "train_it.py:3",
        "evaluate_it.py:3",
    ]
    assert "DDL002" not in result.stdout and result.stderr == ""
    return result


@pytest.mark.parametrize("path", [None, "elsewhere"])
def test_the_program(folder, tmp_path, path):
    hostile.write_traps(folder)
    (tmp_path / "elsewhere").mkdir()
    # A program that lies in a folder has that folder first on its path.
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "ddl-lint"
    program.write_text(COMMAND)
    check(folder, str(program), path=path and str(tmp_path / path))


@pytest.mark.parametrize("path", ["", os.pathsep, f".{os.pathsep}elsewhere", "HERE", "LINK"])
def test_the_working_directory_in_the_variable(folder, tmp_path, path):
    """What comes before our first line is Python's own; of all that comes after it, nothing is run."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "link").symlink_to(folder, target_is_directory=True)
    program = tmp_path / "bin" / "ddl-lint"
    program.write_text("import re, first_line")
    left_out = hostile.loaded_at_start("-c", "import re, first_line", folder=tmp_path)
    hostile.write_traps(folder, {*left_out, "ddl_lint", "sitecustomize", "usercustomize"})
    program.write_text(COMMAND)
    check(folder, str(program), path=path.replace("HERE", str(folder)).replace("LINK", str(tmp_path / "link")))


@pytest.mark.parametrize(
    ("mark", "entry", "where", "checked"),
    [
        (".git", ".", "part/of", "../.."),
        ("pyproject.toml", "src", ".", "."),
        (".git", "src", "part/of", "../.."),
        ("", ".", "part/of", "../.."),
        ("", "src", "..", "checked"),
        (".git", "src", "..", "checked/train_it.py"),
    ],
)
def test_a_folder_of_the_project_in_the_variable(folder, tmp_path, mark, entry, where, checked):
    """Training code is often run with one; it is left out wherever in the project, or beside it, we are started."""
    if mark:
        (folder / mark).touch()
    for name in ("part/of", "src"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    program = tmp_path / "ddl-lint"
    program.write_text("import re, first_line")
    left_out = hostile.loaded_at_start("-c", "import re, first_line", folder=tmp_path)
    hostile.write_traps(folder / entry, {*left_out, "ddl_lint", "sitecustomize", "usercustomize"})
    program.write_text(COMMAND)
    environment = {**os.environ, "DDL_LINT_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(folder / entry)}
    line = [sys.executable, str(program), "check", checked, "--jobs", "2", "--output-format", "concise"]
    options = {"cwd": folder / where, "env": environment, "capture_output": True, "text": True, "timeout": 300}
    result = subprocess.run(line, **options, check=False)
    assert hostile.sprung(folder / entry) == []
    assert result.returncode == 1 and "DDL201" in result.stdout, result.stderr


def test_libraries_elsewhere_in_the_variable_stay(tmp_path, monkeypatch):
    """On a cluster, what `module load` brings is named there; and a home folder is no project."""
    names = ["project/src", "project", "home/lib", "opt/site", "home/work/lib", "home/work"]
    for name in (*names, "home/work/here"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    (tmp_path / "home/.git").mkdir()
    (tmp_path / "project/.git").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(str(tmp_path / name) for name in names))
    monkeypatch.chdir(tmp_path / "home/work/here")
    shown = f"print(*[entry for entry in sys.path if entry.startswith({str(tmp_path)!r})])"
    program = f"import sys; from ddl_lint.search_path import *; leave_checked_code_out(sys.argv[1:]); {shown}"
    line = [sys.executable, "-c", program, "check", str(tmp_path / "project/src")]
    found = subprocess.run(line, capture_output=True, text=True, timeout=60, check=True).stdout.split()
    assert found == [str(tmp_path / name) for name in ("home/lib", "opt/site", "home/work/lib")]


def test_the_module(folder, tmp_path):
    """`-m` looks in the working directory first: for us, and for what it needs itself."""
    left_out = hostile.loaded_at_start("-m", "first_line", folder=tmp_path)
    hostile.write_traps(folder, {*left_out, "ddl_lint"})
    check(folder, "-m", "ddl_lint")


@pytest.mark.parametrize("flag", ["-I", *(["-P"] if sys.version_info >= (3, 11) else [])])
def test_the_module_as_the_documentation_tells(folder, flag):
    hostile.write_traps(folder)
    (folder / "ddl_lint.py").rename(folder / "ddl_lint_is_a_package.txt")
    (folder / "ddl_lint").mkdir()
    (folder / "ddl_lint" / "__init__.py").write_text("open('ddl_lint.ran', 'w').close()\n")
    (folder / "ddl_lint" / "__main__.py").write_text("open('ddl_lint.ran', 'w').close()\n")
    check(folder, flag, "-m", "ddl_lint")


def test_processes_of_a_program_that_imports_from_where_it_stands(folder, tmp_path):
    """They are started from a clean path, whatever that of the program is."""
    program = (
        "import os, sys\n"
        "from ddl_lint.analysis.interpreter.project.codebase import Source\n"
        "from ddl_lint.project.pool import Task, lower_all\n"
        "os.chdir(sys.argv[1])\n"
        "tasks = [Task(Source(f'/{name}.py', name, False), b'import torch') for name in 'abc']\n"
        "sys.path.insert(0, '')\n"
        "sys.path.insert(0, os.getcwd())\n"
        "os.environ['PYTHONPATH'] = os.pathsep\n"
        "print(len([each for each in lower_all(tasks, 2)]))\n"
    )
    hostile.write_traps(folder)
    loaded = "import decimal, multiprocessing.connection, multiprocessing.spawn, multiprocessing.popen_spawn_posix\n"
    line = [sys.executable, "-c", loaded + program if os.name != "nt" else program, str(folder)]
    found = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert hostile.sprung(folder) == []
    assert (found.returncode, found.stdout, found.stderr) == (0, "3\n", "")


def test_where_we_are_installed_may_be_checked(tmp_path):
    """The folders of the library and of what is installed stay on the path, even if somebody stands there."""
    for home in (Path(os.__file__).parent, Path(pytest.__file__).parents[1]):
        line = [sys.executable, "-m", "ddl_lint", "check", "--stdin-filename", str(tmp_path / "a.py")]
        found = subprocess.run(line, cwd=home, input=FAULTY, capture_output=True, text=True, timeout=120, check=False)
        assert "DDL201" in found.stdout and found.returncode == 1, found.stderr
