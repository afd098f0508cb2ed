"""Where the editors are that `install.sh` installs, and how to start them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NamedTuple

UNPACKED = Path(__file__).parents[2] / ".venv" / "editors"
REQUIRED = "DDL_LINT_EDITORS_REQUIRED"
"""The environment variable with which a missing editor is a failure instead of a skipped test."""


class Program(NamedTuple):
    """How to start an editor."""

    command: list[str]
    environment: dict[str, str]


def missing_is_failure() -> bool:
    """Whether the tests of this run must not be skipped."""
    return bool(os.environ.get(REQUIRED))


def neovim(suite: str) -> Program | None:
    """The Neovim of a Debian release, None where it is not installed."""
    if suite == _release():
        return _installed("nvim")
    root = UNPACKED / suite
    return _unpacked(root, "usr/bin/nvim", {"VIMRUNTIME": str(root / "usr/share/nvim/runtime")})


def helix(suite: str) -> Program | None:
    """The Helix of a Debian release, None where it is not installed."""
    if suite == _release():
        return _installed("hx")
    root = UNPACKED / suite
    runtimes = [folder for folder in (root / "usr/lib/hx/runtime", root / "usr/lib/helix/runtime") if folder.is_dir()]
    return _unpacked(root, "usr/bin/hx", {"HELIX_RUNTIME": str(runtimes[0])} if runtimes else {})


def emacs() -> Program | None:
    """The Emacs of this machine, None where there is none."""
    return _installed("emacs")


def _installed(name: str) -> Program | None:
    path = shutil.which(name)
    return Program([path], {}) if path else None


def _unpacked(root: Path, program: str, environment: dict[str, str]) -> Program | None:
    """A program of another release: its own loader and C library start it, so that this machine's do not matter."""
    loaders = sorted(root.glob("**/ld-linux-*.so.*"))
    if not (root / "complete").exists() or not loaders:
        return None
    libraries = sorted({str(library.parent) for library in root.glob("**/libc.so.6")})
    return Program(
        [str(loaders[0]), "--library-path", ":".join(libraries), str((root / program).resolve())], environment
    )


def _release() -> str:
    try:
        lines = Path("/etc/os-release").read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition("=")[2].strip('"') for line in lines if line.startswith("VERSION_CODENAME=")), "")
