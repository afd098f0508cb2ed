"""What the result of a check depends on, so that it is known whether the same check would find the same."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ddl_lint.project.project_context import job_files, notebooks, package_files, packaging_files, pages, python_files
from ddl_lint.source import SourceError, read_bytes
from ddl_lint.source.dates import today
from ddl_lint.storage import digest, stamp

Plain = dict[str, Any]
"""Dictionaries, tuples, texts and numbers only."""

_YOUNG = "young"
"""In place of the stamp of a file that may change without another stamp; equal to none."""

_SETTINGS = re.compile(r"(?:requirements|constraints).*\.txt|.*\.(?:toml|lock|ya?ml|cfg)")

_RACE = 2_000_000_000
"""Nanoseconds: what was written so shortly before it was read may be written again without another time of change."""


class Inputs:
    """The contents of files, the names of the files below a folder, and the state of what others have installed.

    Each is noted as it was *before* it was used: a change in between makes the result stale, never the other way round.
    """

    def __init__(self, plain: Plain | None = None) -> None:
        """Empty, or as `plain` tells, which is of an earlier process."""
        self._begun = time.time_ns()
        self._files: dict[str, tuple[object, str]] = plain["files"] if plain else {}
        self._trees: dict[str, str] = plain["trees"] if plain else {}
        self._unchanged: dict[str, object] = plain["unchanged"] if plain else {}
        self._last_day: str = plain["last day"] if plain else ""

    def file(self, path: str, state: object, content: str) -> None:
        """A file: its `stamp`, and the digest of its bytes, empty if it cannot be read."""
        if isinstance(state, tuple) and state[0] > self._begun - _RACE:
            state = _YOUNG
        self._files[path] = state, content

    def files(self, paths: Iterable[Path]) -> None:
        """Files that are read by somebody else, later."""
        for path in paths:
            self.file(str(path), stamp(str(path)), content_of(str(path)))

    def tree(self, root: Path) -> None:
        """Which programs and launch files a project has, where its packages begin, and which settings lie there."""
        self._trees[str(root)] = _names_below(root)

    def unchanged(self, states: Mapping[str, object]) -> None:
        """Files and folders in which nothing at all has changed, each with its `stamp`."""
        self._unchanged.update(states)

    def until(self, day: str) -> None:
        """The last day on which what was found is found again, such as `2027-01-31`; of several, the first counts."""
        self._last_day = min(filter(None, (day, self._last_day)), default="")

    @property
    def read(self) -> Iterable[str]:
        """The paths of the files whose content counts."""
        return self._files.keys()

    @property
    def contents(self) -> Mapping[str, str]:
        """The digests of the files whose content counts, by path; empty where there is none."""
        return {path: content for path, (_, content) in self._files.items()}

    def plain(self) -> Plain:
        """The same for another process."""
        return {"files": self._files, "trees": self._trees, "unchanged": self._unchanged, "last day": self._last_day}

    def refreshed(self) -> Inputs | None:
        """The same inputs as they are now, if nothing has changed that a check can see; else None.

        It is this very object if not even the times of files have changed.
        """
        if self._last_day and self._last_day < today():
            return None
        if any(stamp(path) != state for path, state in self._unchanged.items()):
            return None
        now = Inputs(self.plain())
        now._files = dict(self._files)
        is_same = True
        for path, (state, content) in self._files.items():
            seen = stamp(path)
            if seen != state:
                if content_of(path) != content:
                    return None
                now.file(path, seen, content)
                is_same = False
        if any(_names_below(Path(root)) != names for root, names in self._trees.items()):
            return None
        return self if is_same else now


def content_of(path: str) -> str:
    """The digest of the bytes of a file, empty if it cannot be read."""
    try:
        return digest(read_bytes(path))
    except SourceError:
        return ""


def _names_below(root: Path) -> str:
    marks = package_files(root)
    packages = sorted({root, *(mark.parent for mark in marks)})
    settings = [path for folder in packages for path in _settings_in(folder)]
    files = (
        *python_files(root),
        *notebooks(root),
        *job_files(root),
        *pages(root),
        *marks,
        *packaging_files(root),
        *settings,
    )
    return digest(*map(str, files))


def _settings_in(folder: Path) -> list[Path]:
    """The files of a folder that may say with which versions a project runs."""
    try:
        return sorted(path for path in folder.iterdir() if _SETTINGS.fullmatch(path.name))
    except OSError:
        return []
