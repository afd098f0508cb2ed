"""The one glob language of the configuration: that of `.gitignore` files."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


DEFAULT_EXCLUDE = (
    ".cache",
    ".eggs",
    ".git",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    "__pycache__",
    "__pypackages__",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)
"""The folders that are not walked into unless the configuration says otherwise."""

_STARS = re.compile(r"\*+")
_SETS = re.compile(r"\\.|\[[!^]?(?:\][^\]]*|[^\]]+)\]|(\[)")


@functools.lru_cache(maxsize=256)
def compiled(globs: tuple[str, ...]) -> GitIgnoreSpec:
    """Globs ready for use.

    Raises:
        ValueError: one of them is none.
    """
    from pathspec import GitIgnoreSpec  # a check of files that are given themselves asks for no glob

    return GitIgnoreSpec.from_lines(globs)


_MOST_STARS = 3


def is_costly(glob: str) -> bool:
    """Whether matching a glob could take very long: a name is tried in as many ways as its stars can share it."""
    return any(len(_STARS.findall(part)) > _MOST_STARS for part in glob.split("/")) or glob.count("**/") > _MOST_STARS


def has_open_bracket(glob: str) -> bool:
    """Whether a set of characters is begun and not ended, so that the glob matches nothing."""
    return any(found[1] for found in _SETS.finditer(glob))


def relative(path: Path, base: Path | None, is_folder: bool = False) -> str:
    """The name of a path as globs see it, which are relative to `base`."""
    try:
        name = path.relative_to(base or path.anchor).as_posix()
    except ValueError:
        # Not below the base (`--config` from elsewhere): globs without a slash still match.
        name = path.name
    return f"{name}/" if is_folder else name


def selects(glob: str, path: Path, base: Path | None) -> bool:
    """Whether a glob of `per-file-ignores` matches a file; with `!` in front it matches all others."""
    matched = bool(compiled((glob.removeprefix("!"),)).match_file(relative(path, base)))
    return matched != glob.startswith("!")
