"""The scripts with which shells complete a command line."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BASH = shutil.which("bash")


@pytest.fixture
def complete(run, tmp_path):
    """What bash offers for the last of some words."""
    (tmp_path / "train.py").touch()
    result = run("completion", "bash")
    assert (result.code, result.err) == (0, "")
    script = tmp_path / "complete.sh"
    end = (
        '\nCOMP_WORDS=("$@")\nCOMP_CWORD=$(($# - 1))\nCOMPREPLY=()\n_shtab_ddl_lint\nprintf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    script.write_text(result.out + end, encoding="utf-8")

    def offered(*words: str) -> list[str]:
        assert BASH is not None
        command = [BASH, str(script), "ddl-lint", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60).stdout.split()

    return offered


@pytest.mark.skipif(BASH is None or sys.platform == "win32", reason="there is no bash")
def test_what_bash_offers(complete):
    assert complete("che") == ["check"]
    assert "--select" in complete("check", "--s")
    assert complete("check", "--fail-on", "e") == ["error"]
    assert complete("check", "--fail-on", "hang,data") == ["hang,data-loss"]
    assert complete("check", "--select", "ha") == ["hang"]
    assert complete("check", "--select", "hang,wrong") == ["hang,wrong-result"]
    assert complete("explain", "lost") == ["lost-rank"]
    assert complete("explain", "ha") == []
    assert complete("trace", "--output-format", "m") == ["mermaid"]
    assert complete("check", "tra") == ["train.py"]
    assert "--format" not in complete("trace", "--")


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh", "fish"])
def test_every_shell_knows_rules_and_groups(run, shell):
    result = run("completion", shell)
    assert result.code == 0
    for word in ("lost-rank", "wrong-result", "horovod", "--output-format"):
        assert word.removeprefix("--") in result.out


def test_an_unknown_shell(run):
    result = run("completion", "bsh")
    assert result.code == 2
    assert "unknown value `bsh` (did you mean `bash`?); expected `bash`, `zsh`, `tcsh` or `fish`" in result.err


def test_without_the_package_it_says_how_to_get_it(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    result = run("completion", "bash")
    assert (result.code, result.out) == (2, "")
    assert "pip install shtab" in result.err


def test_the_scripts_are_ones_that_the_shells_read(run, tmp_path: Path):
    for shell, arguments in (("bash", ["-n"]), ("zsh", ["-n"]), ("tcsh", ["-f"])):
        program = shutil.which(shell)
        if program is None:
            continue
        script = tmp_path / f"complete.{shell}"
        script.write_text(run("completion", shell).out, encoding="utf-8")
        result = subprocess.run([program, *arguments, str(script)], capture_output=True, text=True, timeout=60)
        assert (result.returncode, result.stderr) == (0, ""), shell
