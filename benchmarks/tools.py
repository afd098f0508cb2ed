"""The tools that are compared: how each is installed and called. Versions are pinned."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.processes import CommandError, Usage, run

KEPT = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "ddl-lint-benchmarks")
"""What is fetched once and then used again."""

_HERE = Path(__file__).parent
_NO_SETTINGS = "/dev/null"


@dataclass(frozen=True)
class Tool:
    """A linter. In `command` and `environment`, `{cache}` is a folder that it may keep results in, and `{here}` ours.

    What is checked comes after the command. `most_lines` are so many as it can take in reasonable time.
    """

    name: str
    command: tuple[str, ...]
    version: tuple[str, ...]
    requirement: str = ""
    """What pip installs; nothing for the tool that is measured where it stands."""

    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    fine: tuple[int, ...] = (0, 1)
    has_cache: bool = False
    most_lines: float = float("inf")

    @property
    def label(self) -> str:
        """Its name, with the version where that is pinned."""
        return self.requirement.replace("[nodejs]", "").replace("==", " ") or self.name

    def check(self, target: Path, cache: Path) -> Usage:
        """Check a file or folder.

        Raises:
            CommandError: the tool failed.
        """
        # In the folder itself, as people do: without a configuration, the place where ddl-lint is called is the root.
        return self._run((*self.command, str(target)), cache, target if target.is_dir() else target.parent)

    def start(self, cache: Path) -> Usage:
        """Ask for the version.

        Raises:
            CommandError: the tool failed.
        """
        return self._run(self.version, cache)

    def _run(self, command: Sequence[str], cache: Path, folder: Path | None = None) -> Usage:
        places = {"cache": cache, "here": _HERE}
        program, *arguments = (part.format(**places) for part in command)
        program = str(_folder(self) / "bin" / program) if self.requirement else program
        environment = {name: value.format(**places) for name, value in self.environment.items()}
        return run((program, *arguments), fine=self.fine, environment=environment, folder=folder)


_PROJECT = os.pathsep.join(map(str, (_HERE.parent, _HERE.parent / "rules", _HERE.parent / "server")))
_CACHES = {"DDL_LINT_CACHE_DIR": "{cache}", "XDG_CACHE_HOME": "{cache}", "PYTHONPATH": _PROJECT}

_OURS = str(Path(sys.executable).with_name("ddl-lint"))  # `python -m` would import from the checked folder
OURS = Tool(
    "ddl-lint",
    (_OURS, "check", "--isolated", "--pedantic", "--preview", "--exit-zero", "--quiet"),
    (_OURS, "--version"),
    environment=_CACHES,
    has_cache=True,
)
PEERS = (
    Tool(
        "ruff",
        ("ruff", "check", "--isolated", "--quiet", "--exit-zero", "--cache-dir", "{cache}"),
        ("ruff", "--version"),
        "ruff==0.17.5",
        has_cache=True,
    ),
    Tool(
        "semgrep",
        ("semgrep", "scan", "--config", "{here}/semgrep.yaml", "--metrics=off", "--disable-version-check", "--quiet",
         "--no-git-ignore", "--jobs=1"),
        ("semgrep", "--version", "--disable-version-check"),
        "semgrep==1.170.1",
        environment={"SEMGREP_SETTINGS_FILE": "{cache}/settings.yml", "SEMGREP_LOG_FILE": "{cache}/log"},
    ),
    Tool(
        "pylint",
        ("pylint", f"--rcfile={_NO_SETTINGS}", "--jobs=1", "--disable=all", "--enable=W", "--recursive=y", "--score=n",
         "--exit-zero"),
        ("pylint", "--version"),
        "pylint==4.1.4",
        environment={"PYLINTHOME": "{cache}"},
        most_lines=12_000,
    ),
    Tool(
        "pyright",
        ("pyright",),
        ("pyright", "--version"),
        "pyright[nodejs]==1.1.414",
        environment={"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1", "PYRIGHT_PYTHON_FORCE_VERSION": "1.1.414"},
        most_lines=12_000,
    ),
    Tool(
        "TorchFix",
        ("torchfix", "--select=ALL", "--jobs=1"),
        ("torchfix", "--version"),
        "torchfix==0.7.0",
        most_lines=12_000,
    ),
    Tool(
        "Fixit",
        ("fixit", "--quiet", "lint"),
        ("fixit", "--version"),
        "fixit==2.2.1",
        fine=(0, 1, 2, 3),
        most_lines=12_000,
    ),
)  # fmt: skip


def install(tool: Tool) -> str:
    """Install a tool in an environment of its own, once; what went wrong, in one line.

    Each has its own because they need different versions of the same packages.
    """
    folder = _folder(tool)
    if (folder / "complete").exists():
        return ""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        for command in (
            (sys.executable, "-m", "venv", str(folder)),
            (str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
             tool.requirement),
        ):  # fmt: skip
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
        with tempfile.TemporaryDirectory() as cache:
            tool.start(Path(cache))
    except subprocess.CalledProcessError as error:
        return (error.stderr.strip().splitlines() or ["pip says nothing"])[-1]
    except (subprocess.TimeoutExpired, CommandError, OSError) as error:
        return str(error)
    (folder / "complete").touch()
    return ""


def _folder(tool: Tool) -> Path:
    return KEPT / tool.requirement


def store_models(tool: Tool, cache: Path) -> None:
    """Have ddl-lint compile its API models into a cache, as any check does."""
    other = cache / "other"
    other.mkdir()
    (other / "other.py").write_text("import torch\n")
    tool.check(other, cache)


class Checks:
    """Checks of one file or folder: cold ones, and warm ones that find what the last cold one has stored.

    For ours, cold means that the API models are compiled, and nothing is known of what is checked.
    """

    def __init__(self, tool: Tool, target: Path, stack: ExitStack) -> None:
        self._tool = tool
        self._target = target
        self._stack = stack
        self._cache = Path()

    def cold(self) -> Usage:
        """Check with a new cache."""
        self._cache = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        if self._tool is OURS:
            store_models(self._tool, self._cache)
        return self.warm()

    def warm(self) -> Usage:
        """Check with the cache of the last cold check."""
        return self._tool.check(self._target, self._cache)
