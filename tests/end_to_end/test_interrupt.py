"""Ctrl-C and SIGTERM end the program at once, whatever it does, and nothing stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

FAULTY = "import torch.distributed as dist\n\nprint(dist.get_rank())\n"
LONG = "import torch\n\n\ndef f(\ufb01):\n" + "".join(
    f"    x{number} = f(a, b, c)[{number}]\n" for number in range(60_000)
)
"""One statement that takes libcst very long; the ligature leaves it to libcst."""

MANY = "import torch\n" + "\ufb01 = f(a, b, c)\n" * 100_000
"""Statements that are parsed one after the other, for a long time."""

PROGRAM = """
import ctypes, pathlib, sys
from ddl_lint.__main__ import main

def begin(): pathlib.Path("begun").touch()
{patch}
sys.exit(main())
"""
NATIVE = """
import ast
def sleep(*_, **__):
    begin()
    ctypes.CDLL(None).sleep(10**6)  # code that no exception reaches, and that leaves the interpreter to others
ast.parse = sleep
"""
PARSING = """
import libcst
really = libcst.parse_module
def parse(text):
    begin()
    return really(text)
libcst.parse_module = parse
"""
FOLLOWING = """
from ddl_lint.analysis.interpreter.interpreter import Interpreter
def spin(*_):
    begin()
    while True:
        pass
Interpreter.run_script = spin
"""


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a check in a process group of its own, as a terminal does."""
    processes: list[subprocess.Popen[str]] = []

    def start(patch: str, *arguments: str) -> subprocess.Popen[str]:
        begun = tmp_path / "begun"
        line = [
            sys.executable,
            "-c",
            PROGRAM.replace("{patch}", patch),
            "check",
            "checked",
            "--output-file",
            "out.txt",
            *arguments,
        ]
        process = subprocess.Popen(
            line,
            cwd=tmp_path,
            env={**os.environ, "DDL_LINT_CACHE_DIR": str(tmp_path / "cache")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        processes.append(process)
        while patch and not begun.exists():
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def write(folder: Path, text: str, *names: str) -> None:
    (folder / "checked").mkdir()
    for name in names:
        (folder / "checked" / name).write_text(text, encoding="utf-8")


def children(process: subprocess.Popen[str]) -> list[int]:
    """The processes that another one has started and that have loaded the parser."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == process.pid and "libcst" in (entry / "maps").read_text():
                found.append(int(entry.name))
        except (OSError, IndexError):  # no process, or one that has ended meanwhile
            continue
    return found


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def nothing_half_written(folder: Path) -> bool:
    left = [*(folder / "cache").rglob("*.tmp"), *folder.glob("*.tmp"), *folder.glob("out.txt")]
    return not left


@pytest.mark.parametrize(
    ("patch", "text"),
    [(NATIVE, FAULTY), (PARSING, LONG), (FOLLOWING, FAULTY)],
    ids=["native code", "the parser", "following"],
)
def test_ctrl_c(started, tmp_path, patch, text):
    write(tmp_path, text, "a.py")
    process = started(patch, "--jobs", "1")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)  # the work itself takes longer, or for ever
    assert (process.returncode, out, err) == (130, "", "error: interrupted\n")
    assert nothing_half_written(tmp_path)


def test_ctrl_c_twice_is_told_once(started, tmp_path):
    write(tmp_path, FAULTY, "a.py")
    process = started(NATIVE, "--jobs", "1")
    for _ in range(5):
        process.send_signal(signal.SIGINT)
    assert (process.communicate(timeout=60), process.returncode) == (("", "error: interrupted\n"), 130)


@pytest.mark.parametrize("to_all", [False, True], ids=["to the program", "to the group"])
@pytest.mark.parametrize(
    ("number", "code", "told"), [(signal.SIGINT, 130, "error: interrupted\n"), (signal.SIGTERM, -signal.SIGTERM, "")]
)
def test_processes_that_lower_files(started, tmp_path, number, code, told, to_all):
    write(tmp_path, LONG, "a.py", "b.py")
    process = started("", "--jobs", "2")
    while len(workers := children(process)) < 2:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    (os.killpg if to_all else os.kill)(process.pid, number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (code, "", told)
    while not all(map(is_gone, workers)):  # the signal that ends them is on its way
        time.sleep(0.01)
    assert nothing_half_written(tmp_path)


def test_a_process_ends_with_the_one_that_has_started_it(started, tmp_path):
    """Also if that one could not end it. (In the middle of a statement it would not see it.)"""
    write(tmp_path, MANY, "a.py", "b.py")
    process = started("", "--jobs", "2")
    while len(workers := children(process)) < 2:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.kill()
    process.communicate()
    while not all(map(is_gone, workers)):
        time.sleep(0.01)
