"""Ctrl-C and SIGTERM end the program at once, whatever it does, and nothing stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.children import PATIENCE, wait_until, with_interrupts, without_interrupts

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")]

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
SECOND = """
from ddl_lint.analysis.interpreter.interpreter import Interpreter
really = Interpreter.run_script
def spin(self, module):
    while module.name == "slow":
        begin()
    return really(self, module)
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
            preexec_fn=with_interrupts,
        )
        processes.append(process)
        if patch:
            wait_until(lambda: begun.exists() or has_ended(process))
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate(timeout=PATIENCE)


def has_ended(process: subprocess.Popen[str]) -> bool:
    assert process.poll() is None, process.communicate(timeout=PATIENCE)
    return False


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
    [(NATIVE, FAULTY), (PARSING, LONG)],
    ids=["native code", "the parser"],
)
def test_ctrl_c(started, tmp_path, patch, text):
    write(tmp_path, text, "a.py")
    process = started(patch, "--jobs", "1")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)  # the work itself takes longer, or for ever
    assert (process.returncode, out, err) == (130, "", "error: interrupted\n")
    assert nothing_half_written(tmp_path)


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "junit"])
def test_ctrl_c_shows_what_was_found(started, tmp_path, form):
    write(tmp_path, FAULTY, "a.py")
    (tmp_path / "checked" / "slow.py").write_text(FAULTY + "x = 1\n" * 9)
    process = started(SECOND, "--jobs", "1", "--output-format", form)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert err.endswith("error: interrupted: the check was not finished\n")
    found = (tmp_path / "out.txt").read_text()
    assert "DDL201" in found and "slow.py" in found
    assert "the check was interrupted; not checked: 1 of 2 scripts" in found


def test_what_ctrl_c_has_ended_is_not_stored_as_a_whole(started, tmp_path):
    write(tmp_path, FAULTY, "a.py", "slow.py")
    process = started(SECOND, "--jobs", "1")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    process = started("", "--output-format", "json")
    process.communicate(timeout=PATIENCE)
    assert (tmp_path / "out.txt").read_text().count('"DDL201"') == 2


def test_ctrl_c_changes_no_file(started, tmp_path):
    write(tmp_path, "import torch.distributed as dist\n\ndist.init_process_group('gloo')\n" * 2, "a.py", "slow.py")
    process = started(SECOND, "--jobs", "1", "--fix", "--unsafe-fixes")
    before = (tmp_path / "checked" / "a.py").read_text()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "so no file was changed" in err
    assert (tmp_path / "checked" / "a.py").read_text() == before


def test_the_server_ends_however_it_was_started(tmp_path):
    line = [sys.executable, "-m", "ddl_lint", "server"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(line, cwd=tmp_path, preexec_fn=without_interrupts, **pipes) as process:
        try:
            wait_until(lambda: catches_interrupts(process.pid) or process.poll() is not None)
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 130
        finally:
            process.kill()


def catches_interrupts(pid: int) -> bool:
    caught = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("SigCgt"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1)


def test_ctrl_c_twice_is_told_once(started, tmp_path):
    write(tmp_path, FAULTY, "a.py")
    process = started(NATIVE, "--jobs", "1")
    for _ in range(5):
        process.send_signal(signal.SIGINT)
    assert (process.communicate(timeout=PATIENCE), process.returncode) == (("", "error: interrupted\n"), 130)


@pytest.mark.parametrize("to_all", [False, True], ids=["to the program", "to the group"])
@pytest.mark.parametrize(
    ("number", "code", "told"), [(signal.SIGINT, 130, "error: interrupted\n"), (signal.SIGTERM, -signal.SIGTERM, "")]
)
def test_processes_that_lower_files(started, tmp_path, number, code, told, to_all):
    write(tmp_path, LONG, "a.py", "b.py")
    process = started("", "--jobs", "2")
    wait_until(lambda: len(children(process)) >= 2 or has_ended(process))
    workers = children(process)
    (os.killpg if to_all else os.kill)(process.pid, number)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (code, "", told)
    wait_until(lambda: all(map(is_gone, workers)))  # the signal that ends them is on its way
    assert nothing_half_written(tmp_path)


def test_a_process_ends_with_the_one_that_has_started_it(started, tmp_path):
    """Also if that one could not end it. (In the middle of a statement it would not see it.)"""
    write(tmp_path, MANY, "a.py", "b.py")
    process = started("", "--jobs", "2")
    wait_until(lambda: len(children(process)) >= 2 or has_ended(process))
    workers = children(process)
    process.kill()
    process.communicate(timeout=PATIENCE)
    wait_until(lambda: all(map(is_gone, workers)))
