"""Finds the files to check."""

from __future__ import annotations

import contextlib
import functools
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from ddl_lint.jobs.file_names import MOST_DATA, kind_of, may_be_data
from ddl_lint.project.config import CONFIG_FILES, ConfigError, Settings
from ddl_lint.project.globs import compiled, is_costly, relative
from ddl_lint.project.project_context import marked_root
from ddl_lint.source import SETTINGS_MAX_BYTES, SourceError, leads_out_of, read_bytes

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES = (".py", ".ipynb")
"""Of programs."""


class Problem(NamedTuple):
    """Something that kept us from checking what was asked: it makes the exit code 2. `path` may be empty."""

    path: str
    message: str


class Discovery(NamedTuple):
    """The files to check, absolute, sorted and each once, and what could not be looked into."""

    files: tuple[Path, ...]
    problems: tuple[Problem, ...]


def discover(
    paths: Iterable[Path], settings_for: Callable[[Path], Settings], *, force_exclude: bool = False
) -> Discovery:
    """Find Python files, notebooks, and what says how they are launched, configured and installed.

    A folder is walked, without what the settings exclude and what `.gitignore` files name; symbolic links to folders
    are not followed, and one to a file that is checked anyway is left out: it would be reported twice. A file that is
    given itself is always checked, whatever its name, unless `force_exclude` is set.

    Args:
        paths: Files and folders.
        settings_for: The settings that apply to a folder; when it raises `ConfigError`, the files that the broken
            configuration governs are left out and the error becomes a problem.
        force_exclude: Leave out files that are given themselves, too, if they are excluded, or neither programs nor
            files that say how programs are launched: for a hook that is given all changed files.
    """
    walk = _Walk(settings_for)
    for path in paths:
        root = Path(os.path.abspath(path))
        if os.path.isdir(root):
            walk.folder(root)
        elif missing := _why_missing(root):
            walk.problems[str(path)] = missing
        elif not force_exclude or walk.would_check(root):
            walk.file(root)
    problems = tuple(Problem(path, message) for path, message in walk.problems.items())
    return Discovery(tuple(sorted(walk.files - walk.second_names())), problems)


class LeftOut:
    """Tells which files of a project a walk from its root would leave out."""

    def __init__(self, root: Path, settings_for: Callable[[Path], Settings]) -> None:
        self._root = root
        self._walk = _Walk(settings_for)
        self._ignores: dict[Path, list[_Frame]] = {}

    def __call__(self, path: Path) -> bool:
        """Whether the settings or a `.gitignore` file name it, or the settings cannot be used."""
        folder = path.parent
        settings = self._walk.settings_of(folder)
        if settings is None:
            return True
        if folder not in self._ignores:
            self._ignores[folder] = _gitignores_above(path)
        exclude = _exclude_frame(settings, self._root)
        return bool(exclude.verdict(path, False)) or _is_ignored(self._ignores[folder], path, False)

    def looked_at(self) -> list[Path]:
        """The files that decide it, or would; some may not exist."""
        folders = {each for folder in self._ignores for each in (folder, *folder.parents)}
        inside = sorted(folder for folder in folders if folder.is_relative_to(self._root))
        return [folder / name for folder in inside for name in (".gitignore", *CONFIG_FILES)]


def _why_missing(path: Path) -> str:
    """Why there is no file to be checked; empty if there is one, even if it cannot be read."""
    try:
        path.stat()
    except FileNotFoundError:
        return "is a symbolic link that leads nowhere" if path.is_symlink() else "no such file or folder"
    except OSError as error:
        return f"cannot be reached: {error.strerror or error}"
    return ""


class _Frame(NamedTuple):
    """Globs and the folder that they are relative to."""

    base: Path
    globs: GitIgnoreSpec

    def verdict(self, path: Path, is_folder: bool) -> bool | None:
        """True: the globs name the path; False: a negated one takes it back; None: they say nothing about it."""
        return self.globs.check_file(relative(path, self.base, is_folder)).include

    def without(self, root: Path) -> _Frame:
        """The frame for walking a folder that was asked for: globs that name the folder itself do not count."""
        if root == self.base:
            return self
        name = relative(root, self.base, True)
        kept = [p for p in self.globs.patterns if not (p.include and p.match_file(name))]
        return _Frame(self.base, type(self.globs)(kept))


@dataclass
class _Walk:
    settings_for: Callable[[Path], Settings]
    files: set[Path] = field(default_factory=set[Path])
    problems: dict[str, str] = field(default_factory=dict[str, str])
    seen: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """The folders that were walked, by device and number."""
    named: set[Path] = field(default_factory=set[Path])
    """The files that were given themselves."""
    links: set[Path] = field(default_factory=set[Path])
    """The files that were found and are symbolic links."""

    def folder(self, root: Path) -> None:
        ignores = [frame.without(root) for frame in _gitignores_above(root)]
        self._walk(root, ignores)

    def file(self, path: Path) -> None:
        if self.settings_of(path.parent) is not None:
            self.files.add(path)
            self.named.add(path)

    def second_names(self) -> set[Path]:
        """The links to files that are checked under their own name, or under a link that comes first."""
        if not self.links:
            return set()
        known = {os.path.realpath(path) for path in self.named | self.files - self.links}
        second: set[Path] = set()
        for link in sorted(self.links - self.named):
            if (target := os.path.realpath(link)) in known:
                second.add(link)
            known.add(target)
        return second

    def would_check(self, path: Path) -> bool:
        """Whether a walk from the top of the project would take the file, or would if a script had its suffix."""
        if leads_out_of(path, marked_root(path.parent) or path.parent):
            return False
        return (_is_asked_for(path.name, path.parent) or _is_script(path)) and not self._is_excluded(path)

    def _is_excluded(self, path: Path) -> bool:
        settings = self.settings_of(path.parent) or Settings()
        exclude = _exclude_frame(settings, path.parent)
        return bool(exclude.verdict(path, False)) or _is_ignored(_gitignores_above(path), path, False)

    def _walk(self, root: Path, ignores: list[_Frame]) -> None:
        waiting = [(root, ignores)]
        while waiting:  # not by recursion: folders nest deeper than calls may
            folder, ignores = waiting.pop()
            ignores = [*ignores, *_gitignore_in(folder)]
            waiting += [(inner, ignores) for inner in reversed(self._enter(folder, root, ignores))]

    def _enter(self, folder: Path, root: Path, ignores: list[_Frame]) -> list[Path]:
        """Take the files of a folder; the folders in it that are to be walked as well."""
        settings = self.settings_of(folder)
        exclude = _exclusion(settings or Settings(), root)
        try:
            # A path is walked once: given twice, below another given one, or reached through a junction.
            status = os.stat(folder)
            identity = (status.st_dev, status.st_ino)
            if identity in self.seen:
                return []
            self.seen.add(identity)
            with os.scandir(folder) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError as error:
            self.problems[str(folder)] = f"cannot be looked into: {error.strerror or error}"
            return []
        inner: list[Path] = []
        data = 0
        for entry in entries:
            data += may_be_data(entry.name)
            if data > MOST_DATA and may_be_data(entry.name):
                continue
            path = folder / entry.name
            is_folder = _is_folder(entry)
            if not is_folder and not (_is_asked_for(entry.name, folder) and _is_file(entry)):
                continue
            if exclude.verdict(path, is_folder) or _is_ignored(ignores, path, is_folder):
                continue
            if is_folder:
                inner.append(path)
            elif settings is not None and not leads_out_of(path, marked_root(root) or root):
                # A link to what else is on this machine would show it to whoever sees the findings.
                self.files.add(path)
                if entry.is_symlink():
                    self.links.add(path)
        return inner

    def settings_of(self, folder: Path) -> Settings | None:
        """The settings of a folder; None, and a problem, where they cannot be used."""
        try:
            return self.settings_for(folder)
        except ConfigError as error:
            place = f"{error.file}:{error.line}" if error.line else str(error.file)
            self.problems[place] = error.message
            return None


@functools.lru_cache(maxsize=64)
def _exclusion(settings: Settings, root: Path) -> _Frame:
    """What the settings exclude in the walk of a folder."""
    return _exclude_frame(settings, root).without(root)


def _exclude_frame(settings: Settings, default_base: Path) -> _Frame:
    return _Frame(settings.root or default_base, compiled((*settings.exclude, *settings.extend_exclude)))


def _gitignores_above(path: Path) -> list[_Frame]:
    """The `.gitignore` files that hold for a path, outermost first: from the top of its repository to its parent."""
    frames: list[_Frame] = []
    for folder in path.parents if not os.path.exists(path / ".git") else ():
        frames = [*_gitignore_in(folder), *frames]
        if os.path.exists(folder / ".git"):
            return frames
    # Outside a repository such files mean nothing to git, and one in a home folder would surprise.
    return []


def _gitignore_in(folder: Path) -> Iterator[_Frame]:
    file = folder / ".gitignore"
    if file.is_symlink():  # git does not follow one either
        return
    try:
        text = read_bytes(str(file), SETTINGS_MAX_BYTES).decode("utf-8", "replace")
    except SourceError:
        return
    globs = tuple(glob for glob in text.splitlines() if not is_costly(glob))
    with contextlib.suppress(ValueError):  # git does not complain about a bad pattern either
        yield _Frame(folder, compiled(globs))


def _is_ignored(frames: list[_Frame], path: Path, is_folder: bool) -> bool:
    """The innermost file that says anything about the path decides."""
    verdicts = (frame.verdict(path, is_folder) for frame in reversed(frames))
    return next((verdict for verdict in verdicts if verdict is not None), False)


def _is_asked_for(name: str, folder: Path) -> bool:
    """Whether a file is a program, or says how programs are launched."""
    return name.endswith(SUFFIXES) or kind_of(name, folder.name) is not None


def _is_script(path: Path) -> bool:
    """Whether a file without a suffix says in its first line that Python runs it."""
    if path.suffix:
        return False
    try:
        return _SHEBANG.match(read_bytes(str(path), SETTINGS_MAX_BYTES)) is not None
    except SourceError:
        return False


_SHEBANG = re.compile(rb"#![^\n]*\bpython")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


# --- tests ------------------------------------------------------------------------------------------------------------

TEST_FOLDERS = frozenset({"test", "tests"})
"""What the folders of tests are called."""

_TEST = re.compile(r"test_.*|.*_test|conftest")


def is_of_tests(path: str, root: str = "/") -> bool:
    """Whether a file is a test, by its name or the folders that it is in below a root; or a folder, one of tests."""
    file = PurePath(path)
    below = file.relative_to(root) if file.is_relative_to(root) else file
    folders = below.parts[:-1] if file.suffix == ".py" else below.parts
    return not TEST_FOLDERS.isdisjoint(folders) or (file.suffix == ".py" and _TEST.fullmatch(file.stem) is not None)
