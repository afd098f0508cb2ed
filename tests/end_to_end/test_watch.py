"""`check --watch`: what it shows after each change, and how it ends."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from ddl_lint.check.session import Session
from ddl_lint.commands import watch
from ddl_lint.commands.parser import command_line
from ddl_lint.registry.rules import load_rules
from tests.children import PATIENCE, ended_in_time, with_interrupts, without_interrupts

pytestmark = pytest.mark.slow

TRAIN = """\
import torch.distributed as dist

from steps import finish


def main():
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        dist.barrier()
    finish()


if __name__ == "__main__":
    main()
"""
STEPS = "import torch.distributed as dist\n\n\ndef finish():\n    dist.barrier()\n"
GUARDED = STEPS.replace("    dist.barrier()", "    if dist.get_rank() == 0:\n        dist.barrier()")


@pytest.fixture
def watched(project, capsys) -> Callable[..., list[str]]:
    """Watch a project while edits are made to it, each a file and its new text (None: it goes away); returns what is
    shown at first and after each of them, both streams together.
    """
    folder = project({".git/HEAD": "", "train.py": TRAIN, "steps.py": STEPS})

    def call(*edits: tuple[str, str | None], options: Sequence[str] = ()) -> list[str]:
        shown: list[str] = []
        waiting = iter(edits)

        def shown_now() -> str:
            out, err = capsys.readouterr()
            return out + err

        def changes(paths: Sequence[Path]) -> Iterator[Sequence[str]]:
            assert folder in paths
            yield ()
            shown.append(shown_now())
            for name, text in waiting:
                file = folder / name
                if text is None:
                    file.unlink()
                else:
                    file.write_text(text, encoding="utf-8")
                yield [str(file)]
                shown.append(shown_now())
            raise KeyboardInterrupt

        words = ["check", "--watch", "--output-format", "concise", *options]
        with pytest.raises(KeyboardInterrupt, match="stopped watching"):
            watch.watch(command_line().read(words), Session(load_rules()), changes)
        return shown

    return call


def test_only_what_has_changed_is_shown(watched):
    first, moved, new, gone = watched(
        ("train.py", TRAIN.replace("def main", "\n\ndef main")),
        ("steps.py", GUARDED),
        ("train.py", TRAIN.replace("        dist.barrier()", "        print()")),
    )
    assert first.startswith("train.py:9:9: error DDL502")
    assert "Found 1 error in 2 files." in first
    assert "watching for changes; Ctrl-C ends it" in first
    assert moved.startswith("\ntrain.py changed: the same findings\nFound 1 error in 2 files.")
    assert new.startswith("\nsteps.py changed\nsteps.py:6:9: error DDL502")
    assert "train.py:" not in new and "Found 2 errors in 2 files." in new
    assert gone.startswith("\ntrain.py changed\ngone: train.py:11:9: DDL502 collective-under-rank-guard\nFound 1 error")


def test_launch_files_and_settings_count_and_others_do_not(watched):
    _, notes, launch, settings, back = watched(
        ("notes.md", "# Notes\n"),
        ("run.sh", "torchrun --nproc_per_node 2 --use_env train.py\n"),
        ("ddl-lint.toml", "ignore = ['hang']\n"),
        ("ddl-lint.toml", None),
    )
    assert notes == ""
    assert launch.startswith("\nrun.sh changed\nrun.sh:1:29: error DDL602")
    assert settings.startswith("\nddl-lint.toml changed\ngone: train.py:9:9: DDL502")
    assert back.startswith("\nddl-lint.toml changed\ntrain.py:9:9: error DDL502")


def test_a_broken_configuration_is_told_once_and_the_findings_stay(watched):
    _, broken, still, mended = watched(
        ("ddl-lint.toml", "ignore = ['hangs']\n"),
        ("steps.py", GUARDED),
        ("ddl-lint.toml", None),
    )
    assert "error: " in broken and "unknown rule `hangs` (did you mean `hang`?)" in broken
    assert "Found" not in broken and "gone" not in broken
    assert "error: " not in still
    assert mended.startswith("\nddl-lint.toml changed\nsteps.py:6:9: error DDL502")


def test_a_new_script_is_checked(watched):
    _, new = watched(("evaluate.py", TRAIN))
    assert new.startswith("\nevaluate.py changed\nevaluate.py:9:9: error DDL502")


@pytest.mark.parametrize(
    "option", ["--fix", "--diff", "--add-ignore", "--statistics", "--output-format=json", "--output-file=x", "-"]
)
def test_what_does_not_go_with_it_is_refused(run, project, option):
    project({"train.py": TRAIN})
    result = run("check", "--watch", option)
    assert result.code == 2
    assert result.err.startswith("error: --watch shows findings on a terminal; leave out --")


def test_without_the_package_it_says_how_to_get_it(run, project, monkeypatch):
    project({"train.py": TRAIN})
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    result = run("check", "--watch")
    assert (result.code, result.out) == (2, "")
    assert "pip install watchfiles" in result.err


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent in another way there")
@pytest.mark.parametrize("start", [with_interrupts, without_interrupts])
def test_real_changes_until_ctrl_c(project, start):
    folder = project({".git/HEAD": "", "train.py": TRAIN, "steps.py": STEPS})
    command = [sys.executable, "-m", "ddl_lint", "--watch", "--output-format", "concise"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "encoding": "utf-8", "bufsize": 1}
    with subprocess.Popen(command, cwd=folder, preexec_fn=start, **streams) as process, ended_in_time(process):
        assert process.stdout is not None

        def read_until(part: str) -> str:
            text = ""
            for line in process.stdout or ():
                text += line
                if part in line:
                    return text
            raise AssertionError(f"it ended: {text}")

        assert "train.py:9:9: error DDL502" in read_until("watching for changes")
        (folder / "steps.py").write_text(GUARDED, encoding="utf-8")
        assert "steps.py:6:9: error DDL502" in read_until("Found 2 errors in 2 files.")
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert process.wait(PATIENCE) == 130
        assert "stopped watching" in rest and "Traceback" not in rest
