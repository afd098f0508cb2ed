"""Which script of a project a launch line means: the one from which it is seen, not any that has the same name."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ddl_lint.jobs.file_names import is_page
from ddl_lint.jobs.neighbourhood import Neighbourhood, is_within

SCRIPT = re.compile(r"(?P<path>(?:[^\s\"'=;&|()<>`,:]*/)?[\w.][\w.-]*\.py)\b")
"""A script as a launch line writes it, with its folders."""

_CHANGE = re.compile(
    r"(?:^|[;&|{]|(?<!\$)\(|[ \t]-l?c[ \t]+[\"'])[ \t]*"
    r"(?:cd|pushd)[ \t]+(?:--[ \t]+)?(?P<folder>(?:\$\([^()]*\)|`[^`]*`|[^;&|)#\n])+)",
    re.MULTILINE,
)
_NESTED = re.compile(r"[ \t]-l?c[ \t]+(?P<text>\"(?:[^\"\\]|\\.)*\"|'[^']*')", re.DOTALL)
"""What another shell runs: it goes to other folders by itself."""

_OWN_FOLDER = re.compile(r"[$`]\(?\s*dirname\s[^`)]*[`)]|\$\{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\}")
"""How a shell file calls the folder that it lies in."""

_CLONE = re.compile(
    r"git[ \t]+clone\b[^\n]*?/(?P<name>[\w.-]+?)(?:\.git)?/?(?:[ \t]+(?P<into>[\w.-]+))?[ \t]*(?=$|[;&|\n])"
)

_OPEN = re.compile(r"[$`~*?]")
"""The characters that take the place of unknown text."""


class Stretch(NamedTuple):
    """A part of a launch file that is run in a shell, or in a folder, of its own."""

    start: int
    end: int
    folder: str | None = ""
    """From the folder of what comes before; None where it is not known."""


class LaunchFile:
    """A launch file, and the folders in which each part of it may be run."""

    def __init__(self, path: Path, text: str, root: Path, stretches: Iterable[Stretch] = ()) -> None:
        """`text` is the content, or what is left of it; `root` is that of the project; `stretches` do not overlap."""
        self.path = path
        self.text = text
        self.root = root
        own = sorted(stretches)
        nested = (Stretch(*each.span("text")) for each in _NESTED.finditer(text))
        free = (each for each in nested if not any(one.start < each.end and each.start < one.end for one in own))
        self._stretches = sorted((*own, *free))

    def folders_at(self, offset: int) -> Sequence[str]:
        """The folders in which a part of the text may be run, the likeliest first; none if that is not known."""
        starts, folders = self._changes
        return folders[bisect_right(starts, offset)]

    @cached_property
    def _changes(self) -> tuple[list[int], list[Sequence[str]]]:
        """Where the file goes to other folders, and the folders before and after each of these places."""
        own = self.path.parent
        above = [folder.as_posix() for folder in (own, *own.parents) if folder.is_relative_to(self.root)]
        starts: list[int] = []
        folders: list[Sequence[str]] = [above]
        ends = iter(self._stretches)
        inside, following = None, next(ends, None)
        before: Sequence[str] = above
        for change in (*_CHANGE.finditer(self.text), None):
            offset = change.start("folder") if change is not None else len(self.text) + 1
            while True:
                if inside is not None and inside.end <= offset:
                    starts.append(inside.end)
                    folders.append(before)
                    inside = None
                elif inside is None and following is not None and following.start <= offset:
                    inside, following, before = following, next(ends, None), folders[-1]
                    starts.append(inside.start)
                    folders.append(_below(before, inside.folder))
                else:
                    break
            if change is None:
                break
            written = change["folder"].strip().strip("\"'")
            starting, home = folders[-1], _OWN_FOLDER.search(written)
            if home is not None:
                starting, written = [own.as_posix()], written[home.end() :].strip("\"'/)}") or "."
            if is_page(self.path.name) and self._is_cloned(written.partition("/")[0], change.start()):
                starting, written = [self.root.as_posix()], written.partition("/")[2] or "."
            starts.append(offset)
            folders.append(_below(starting, written))
        return starts, folders

    def _is_cloned(self, folder: str, offset: int) -> bool:
        """Whether a page says before how to clone a repository into a folder: that is the project itself. Where a page
        goes there at once, the folder may have the name that the repository had before.
        """
        clones = list(_CLONE.finditer(self.text, 0, offset)) if folder else []
        is_at_once = bool(clones) and not self.text[clones[-1].end() : offset].strip(" \t\r\n;&")
        return is_at_once or any(folder in (clone["into"], clone["name"]) for clone in clones)


class LaunchPaths:
    """Finds the scripts of a project by what its launch files call them."""

    def __init__(self, scripts: Iterable[Path], neighbourhood: Neighbourhood) -> None:
        """`scripts` are the Python files of the project, `neighbourhood` tells which of them are near a file."""
        self.neighbourhood = neighbourhood
        self._by_name: dict[str, list[str]] = {}
        for script in scripts:
            self._by_name.setdefault(script.name, []).append(script.as_posix())

    def surely(self, written: str, file: LaunchFile, offset: int) -> str | None:
        """The script that a launch file means by a path, None where that is not certain.

        Args:
            written: The path as the file writes it.
            file: The launch file.
            offset: Where it is written.
        """
        named = self._named(written)
        folders = file.folders_at(offset) if named and not _is_open(written) else ()
        for folder in folders:
            candidate = posixpath.normpath(f"{folder}/{written}")
            if candidate in named:
                return candidate
        found = () if folders else self._like(written, file)
        return next(iter(found)) if len(found) == 1 else None

    def possibly(self, written: str, file: LaunchFile, offset: int) -> frozenset[str]:
        """The scripts that a launch file may mean by a path; arguments as of `surely`."""
        known = self.surely(written, file, offset)
        return self._like(written, file) if known is None else frozenset({known})

    def installed(self, written: str) -> str | None:
        """The only script with this path below a folder that packages are often kept in, and installed from."""
        found = [path for path in self._named(written) if path.endswith(f"/src/{written}")]
        return found[0] if "/" in written and len(found) == 1 else None

    def _named(self, written: str) -> Sequence[str]:
        return self._by_name.get(written.rpartition("/")[2], ())

    def _like(self, written: str, file: LaunchFile) -> frozenset[str]:
        """The nearest scripts that end as the path does, as far as any do if its beginning is not known."""
        end = _known_part(written)
        found = self._ending(end, written, file)
        while not found and "/" in end and _is_open(written):
            end = end.partition("/")[2]
            found = self._ending(end, written, file)
        return _nearest(found, file.path.parent.as_posix())

    def _ending(self, end: str, written: str, file: LaunchFile) -> list[str]:
        """The scripts whose paths end so, from a folder that is none of a neighbour."""
        home = self.neighbourhood.home(file.path.as_posix())
        starts = ((path, path.removesuffix(f"/{end}")) for path in self._named(written))
        return [
            path
            for path, start in starts
            if start != path and (is_within(start, home) or is_within(home, start or "/"))
        ]


def _below(folders: Sequence[str], written: str | None) -> Sequence[str]:
    """A folder that is given from some folders; none where it is not known."""
    if written is None or _OPEN.search(written) or written.startswith(("/", "-")):
        return []
    return [posixpath.normpath(f"{each}/{written}") for each in folders] if written else folders


def _is_open(written: str) -> bool:
    """Whether a path does not begin where the launch file is run."""
    return written.startswith("/") or _OPEN.search(written) is not None


def _known_part(written: str) -> str:
    """The end of a path in which everything is known."""
    parts = written.split("/")
    unknown = [index for index, part in enumerate(parts) if part in ("", ".", "..") or _OPEN.search(part)]
    return "/".join(parts[max(unknown, default=-1) + 1 :])


def _nearest(paths: Collection[str], folder: str) -> frozenset[str]:
    """Those that lie in the same folder as far down as any, and no further below it than any."""
    places = {path: (len(posixpath.commonpath((path, folder))), -path.count("/")) for path in paths}
    return frozenset(path for path, place in places.items() if place == max(places.values()))
