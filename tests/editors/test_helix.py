"""Helix in a terminal that tmux makes: it counts columns in bytes, and asks for findings from 25.07 on."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from editor_programs import Program, helix
from faulty_project import Project

PATIENCE = 60.0  # seconds


class Terminal:
    """A terminal of our own, on a socket of our own, so that no other tmux is touched."""

    def __init__(self, socket: Path, environment: dict[str, str]) -> None:
        self._tmux = ["tmux", "-S", str(socket), "-f", os.devnull]
        self._environment = {**{k: v for k, v in os.environ.items() if not k.startswith("TMUX")}, **environment}

    def run(self, folder: Path, command: list[str]) -> None:
        """Start a program on a screen that is wide enough for the longest line."""
        line = shlex.join(["env", *(f"{name}={value}" for name, value in self._environment.items()), *command])
        self._call("new-session", "-d", "-x", "160", "-y", "40", "-c", str(folder), line)

    def type(self, *keys: str) -> None:
        """Press keys, named as tmux names them."""
        self._call("send-keys", *keys)

    def screen(self) -> str:
        """What is to be seen now; empty once the program has ended."""
        result = subprocess.run(
            [*self._tmux, "capture-pane", "-p"], env=self._environment, capture_output=True, text=True
        )
        return result.stdout

    def wait(self, pattern: str) -> str:
        """Wait for something to be seen."""
        end = time.monotonic() + PATIENCE
        while not re.search(pattern, screen := self.screen()):
            if time.monotonic() > end:
                pytest.fail(f"waited in vain for {pattern!r}; the screen shows:\n{screen}")
            time.sleep(0.1)
        return screen

    def wait_for_end(self) -> None:
        """Wait until the program has ended."""
        end = time.monotonic() + PATIENCE
        while subprocess.run([*self._tmux, "has-session"], env=self._environment, capture_output=True).returncode == 0:
            if time.monotonic() > end:
                pytest.fail(f"the program does not end; the screen shows:\n{self.screen()}")
            time.sleep(0.1)

    def close(self) -> None:
        """End whatever still runs in it."""
        subprocess.run([*self._tmux, "kill-server"], env=self._environment, capture_output=True)

    def _call(self, *arguments: str) -> None:
        subprocess.run([*self._tmux, *arguments], env=self._environment, check=True, capture_output=True, text=True)


@pytest.fixture
def terminal(project: Project, present: Callable[[Program | None, str], Program]) -> Iterator[Terminal]:
    path = shutil.which("tmux")
    present(Program([path], {}) if path else None, "tmux")
    terminal = Terminal(project.folder.parent / "tmux", project.environment)
    yield terminal
    terminal.close()


@pytest.mark.parametrize("suite", ["trixie", "forky"])
def test_a_finding_of_two_files_is_seen_fixed_and_saved(
    suite: str,
    project: Project,
    terminal: Terminal,
    present: Callable[[Program | None, str], Program],
    configured: Callable[[str, str], Path],
) -> None:
    program = helix(suite)
    if program is None and suite == "forky":
        pytest.skip("the newest Helix is not unpacked: tests/editors/install.sh forky does that")
    program = present(program, f"Helix of Debian {suite}")
    configured("helix", "helix")
    environment = [f"{name}={value}" for name, value in program.environment.items()]
    terminal.run(project.folder, ["env", *environment, *program.command, project.target.name])
    terminal.wait("● 1")  # the number of warnings, in the status line
    terminal.type("]", "d")
    terminal.wait("Crash: saves the")
    terminal.type("Space", "a")
    terminal.wait(re.escape(project.title))
    terminal.type("Enter")  # what mends stands first in the menu
    terminal.wait(re.escape("model.module.state_dict()"))
    terminal.type(":wq", "Enter")
    terminal.wait_for_end()
    assert project.target.read_bytes() == project.mended
