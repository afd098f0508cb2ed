"""What only a process of its own can show: entry points, streams, colour, start-up."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.children import ended_in_time

pytestmark = pytest.mark.slow

FAULTY = "import torch.distributed as dist\n\nprint(dist.get_rank())\n"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def command(project, cache):
    """Run `python -m ddl_lint` in a new process in the made-up project."""

    def call(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
        variables = {**os.environ, "DDL_LINT_CACHE_DIR": str(cache), **environment}
        line = [sys.executable, "-m", "ddl_lint", *arguments]
        result = subprocess.run(line, input=stdin, capture_output=True, env=variables, timeout=120, check=False)
        assert b"Traceback" not in result.stdout + result.stderr
        return result

    return call


def test_a_check(project, command):
    project({"a.py": FAULTY, "torn.py": "import torch\nx = (\n"})
    result = command("check")
    assert (result.returncode, result.stderr) == (1, b"")
    assert b"a.py:3:7: error DDL201 missing-init-process-group: " in result.stdout
    assert b"torn.py:2:5: error DDL001 syntax-error: " in result.stdout
    assert b"\x1b" not in result.stdout
    summary = b"Found 2 errors in 2 files. Run `ddl-lint explain RULE` to read about a rule.\n"
    assert summary in result.stdout


def test_the_process_survives_what_overflows_a_stack(project, command):
    project({"a.py": FAULTY, "deep.py": "import torch\nx = " + "f(" * 100_000 + "\ny = " + "~" * 100_000 + "1\n"})
    result = command("check", "--output-format", "concise")
    assert result.returncode == 1
    assert b"a.py:3:7: error DDL201" in result.stdout
    assert b"deep.py:2:" in result.stdout


def test_stdin_and_colour(command):
    result = command("check", "--stdin-filename", "a.py", stdin=FAULTY.encode(), FORCE_COLOR="1", NO_COLOR="")
    assert result.returncode == 1
    assert b"\x1b[1;31merror DDL201\x1b[0m" in result.stdout


def test_misuse(command):
    result = command("check", "--select", "DDL777")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"error: unknown rule `DDL777`")
    assert command("check", "--output-format", "pdf").returncode == 2
    assert command().returncode == 2


def test_output_that_the_terminal_cannot_show(project, command):
    project({"a.py": "import torch.distributed as dist\nprint('\u65e5', dist.get_rank())\n"})
    result = command("check", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert result.returncode == 1
    assert rb"print('\u65e5'" in result.stdout


def test_a_reader_that_has_seen_enough(project, command, cache):
    project({f"file_{number}.py": FAULTY for number in range(40)})
    line = [sys.executable, "-m", "ddl_lint", "check"]
    environment = {**os.environ, "DDL_LINT_CACHE_DIR": str(cache)}
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        with ended_in_time(process):
            assert process.stderr.read() == b""
    assert process.returncode == 1


@pytest.mark.parametrize("example", ["hang", "single_file", "package", "notebook"])
def test_an_example_has_the_faults_that_its_readme_tells_of(run, project, example):
    folder = project({})
    shutil.copytree(ROOT / "examples" / example, folder, dirs_exist_ok=True)
    readme = (folder / "README.md").read_text(encoding="utf-8")
    planted = sorted(re.findall(r"^\|[^|]+\| `([\w-]+)` \|", readme.partition("## Planted faults")[2], re.MULTILINE))
    found = json.loads(run("check", "--output-format", "json").out)["diagnostics"]
    assert sorted(item["name"] for item in found) == planted


def test_nothing_of_the_checked_project_is_run(project, command):
    trap = "raise SystemExit('this must not run')\n"
    folder = project(
        {"train.py": FAULTY, "conftest.py": trap, "sitecustomize.py": trap, "ddl_lint_rules/__init__.py": trap}
    )
    names = ("torch", "yaml", "libcst", "json", "setup")
    project({f"{name}.py": f"open('run-{name}', 'w').close()\nimport torch\n" for name in names})
    result = command("check")
    assert b"train.py:3:7: error DDL201" in result.stdout
    assert not list(folder.glob("run-*"))


COMMANDS = (
    ("check",),
    ("check", "-"),
    ("check", "--help"),
    ("config",),
    ("explain", "DDL201"),
    ("jobs",),
    ("rules",),
    ("trace", "a.py"),
    ("--help",),
    ("--version",),
)


@pytest.mark.skipif(os.name == "nt", reason="of a POSIX shell")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    ("redirection", "told"),
    [(">&-", "stdout is closed: nothing can be written"), (">/dev/full", "stdout cannot be written: No space left")],
)
def test_a_stdout_that_takes_nothing(project, cache, words, redirection, told):
    if "full" in redirection and not os.path.exists("/dev/full"):
        pytest.skip("this system has none")
    project({"a.py": FAULTY})
    result = _in_shell(redirection, *words, cache=cache)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1), result.stderr
    assert result.stderr.startswith(f"error: {told}")


@pytest.mark.skipif(os.name == "nt", reason="of a POSIX shell")
def test_a_closed_stdin(project, cache):
    project({"a.py": FAULTY})
    result = _in_shell("<&-", "check", "--stdin-filename", "a.py", cache=cache)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "error: stdin is closed: nothing can be read\n"


@pytest.mark.skipif(os.name == "nt", reason="of a POSIX shell")
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_a_stderr_that_takes_nothing_costs_no_answer(project, cache, redirection):
    project({"a.py": FAULTY, "ddl-lint.toml": "target = {}\n"})
    result = _in_shell(redirection, "check", "a.py", "missing.py", cache=cache)
    assert (result.returncode, result.stderr) == (2, "")
    assert "DDL201" in result.stdout


@pytest.mark.skipif(os.name == "nt", reason="of a POSIX shell")
@pytest.mark.parametrize("redirection", ["<&-", ">&-"])
def test_a_server_without_an_editor(project, cache, redirection):
    project({})
    result = _in_shell(redirection, "server", cache=cache)
    assert result.returncode == 2
    assert "the server talks with an editor over stdin and stdout" in result.stderr


def _in_shell(redirection: str, *words: str, cache: Path) -> subprocess.CompletedProcess[str]:
    line = ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "ddl_lint", *words]
    variables = {**os.environ, "DDL_LINT_CACHE_DIR": str(cache)}
    return subprocess.run(line, input=FAULTY, capture_output=True, text=True, env=variables, timeout=120, check=False)
