"""Where a project ends, and what belongs to it: its modules, its notebooks, its launch files.

A *project* is a repository. Where there is none, it is what lies below the outermost folder that looks like the root of
a project. Its packages, which are folders with such marks of their own, may import each other; a repository that lies
in another one is a project by itself, and neither knows anything of the other.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path

from ddl_lint.jobs.file_names import MOST_DATA, PACKAGING, RECIPES, SUFFIXES, is_guide, is_page, kind_of, may_be_data
from ddl_lint.project.globs import DEFAULT_EXCLUDE
from ddl_lint.source import SourceError, leads_out_of, read_bytes

_REPOSITORY = (".git", ".hg")
_INSTALLER = "setup.py"
_MARKERS = (*_REPOSITORY, "pyproject.toml", "ddl-lint.toml", ".ddl-lint.toml", _INSTALLER, "setup.cfg")
_NAMES = frozenset({*RECIPES, *_MARKERS, *PACKAGING})
_PACKAGING = (b"setuptools", b"distutils", b"skbuild")
_MOST_JOB_FILES = 5_000
_MOST_PAGES = 1_000
_MOST_LOOKED_AT = 20_000  # folders, and files that matter: a check must end where no project is, as in `/`
_marks: dict[Path, tuple[Path, ...]] = {}
"""What `_marked_above` has found."""

_SKIPPED = frozenset(name.strip("/") for name in DEFAULT_EXCLUDE)


def projects(paths: Iterable[Path]) -> dict[Path, list[Path]]:
    """The roots of the projects of some files, each with its files.

    Files without any mark above them are one project, in the folder that they have in common.
    """
    found: dict[Path, list[Path]] = {}
    unmarked: list[Path] = []
    for path in paths:
        root = marked_root(path.parent)
        (unmarked if root is None else found.setdefault(root, [])).append(path)
    if unmarked:
        found.setdefault(_common_folder(unmarked), []).extend(unmarked)
    return found


def marked_root(folder: Path) -> Path | None:
    """The root of the project that a folder belongs to; None where nothing tells."""
    found = _marked_above(folder)
    while len(found) > 1 and _holds_everything(found[-1]):
        found = found[:-1]
    return found[-1] if found else None


def checked_roots(paths: Iterable[str | Path]) -> set[Path]:
    """The folders that a check of some paths has to do with, without links: they themselves, and the projects around
    them. All of what is in them may be a stranger's.
    """
    found: set[Path] = set()
    for folder in {path if os.path.isdir(path) else os.path.dirname(os.path.abspath(path)) for path in paths}:
        found |= {Path(os.path.realpath(folder)), *marked_folders(folder)}
    return found


def marked_folders(folder: str | Path) -> set[Path]:
    """All folders with a mark of a project, from this one up, without links; the home of the account is none."""
    path = Path(os.path.realpath(folder))
    homes = {Path(path.anchor), _home_of_account()}
    return {each for each in (path, *path.parents) if each not in homes and _is_marked(each)}


def python_files(root: Path) -> list[Path]:
    """The Python files of a project, up to a number beyond which imports across the tree are not looked for."""
    return [path for path in _files(root) if path.suffix == ".py"]


def notebooks(root: Path) -> list[Path]:
    """The notebooks of a project."""
    return [path for path in _files(root) if path.suffix == ".ipynb"]


def job_files(root: Path) -> list[Path]:
    """The files of a project that may say how its programs are launched, configured and installed."""
    return [path for path in _files(root) if kind_of(path.name, path.parent.name) is not None]


def pages(root: Path) -> list[Path]:
    """All pages of a project for people."""
    return [path for path in _files(root) if is_page(path.name)]


def package_files(root: Path) -> list[Path]:
    """The files of a project that make a package of the folder that they are in."""
    return [path for path in _files(root) if path.name in _MARKERS]


def packaging_files(root: Path) -> list[Path]:
    """The files below the root that say how a project is packaged."""
    return [path for path in _files(root) if path.name in PACKAGING]


def forget() -> None:
    """Look for files anew from now on: to be called when some have come or gone."""
    _files.cache_clear()
    _marks.clear()
    _is_marked.cache_clear()


def _marked_above(folder: Path) -> tuple[Path, ...]:
    """The folders with a mark, from this one up to the repository."""
    passed: list[Path] = []
    each = folder
    while each not in _marks:  # not by recursion: folders nest deeper than calls may
        passed.append(each)
        if each.parent == each or _has(each, _REPOSITORY):
            break
        each = each.parent
    marked = _marks.get(each, ())
    for each in reversed(passed):
        _marks[each] = marked = (each, *marked) if _has(each, _MARKERS) else marked
    return marked


@cache
def _is_marked(folder: Path) -> bool:
    return _has(folder, _MARKERS)


def _home_of_account() -> Path | None:
    """As the system knows it: `HOME` may lead into what is checked."""
    try:
        if sys.platform == "win32":
            return Path.home()
        import pwd

        return Path(os.path.realpath(pwd.getpwuid(os.getuid()).pw_dir))
    except (ImportError, KeyError, RuntimeError):  # no accounts, as in a browser; a number without a name
        return None


def _has(folder: str | Path, names: Iterable[str]) -> bool:
    paths = (os.path.join(folder, name) for name in names)
    return any(os.path.exists(path) and (not path.endswith(_INSTALLER) or _installs(path)) for path in paths)


def _installs(path: str) -> bool:
    """Whether a `setup.py` is that of a package. Programs have modules of this name, too."""
    try:
        data = read_bytes(path, within=Path(path).parent)
    except SourceError:
        return False
    return not data.strip() or any(word in data for word in _PACKAGING)


def _holds_everything(folder: Path) -> bool:
    """Whether a folder is that of a user or of the whole disk: a mark there says nothing of a project further below."""
    try:
        return folder in (folder.parent, Path.home())
    except RuntimeError:  # there is no home
        return False


def _common_folder(paths: Iterable[Path]) -> Path:
    folders = sorted({path.parent for path in paths})
    try:
        return Path(os.path.commonpath(folders))
    except ValueError:  # they are on several drives
        return folders[0]


@lru_cache(maxsize=16)
def _files(root: Path) -> tuple[Path, ...]:
    return tuple(path for path in _walk(root) if not leads_out_of(path, root))


def _nested(root: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """As `os.walk`, which recurses in some versions of Python."""
    waiting = [os.fspath(root)]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as scan:
                entries = list(scan)
        except OSError:
            continue
        links = {entry.name for entry in entries if entry.is_symlink()}
        folders = [entry.name for entry in entries if _is_folder(entry)]
        known = frozenset(folders)
        yield folder, folders, [entry.name for entry in entries if entry.name not in known]
        waiting += (os.path.join(folder, name) for name in reversed(folders) if name not in links)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _walk(root: Path) -> Iterator[Path]:
    # Around an unmarked folder there is no project, so that each mark below it begins one.
    walls = frozenset(_REPOSITORY if _has(root, _MARKERS) else _MARKERS)
    count = others = pages = 0
    for folder, folders, names in _nested(root):
        count += 1
        if count > _MOST_LOOKED_AT:
            return
        if count > 1 and not walls.isdisjoint((*folders, *names)) and _has(folder, walls):
            folders.clear()
            continue
        folders[:] = sorted(
            name for name in folders if name not in _SKIPPED and (not name.startswith(".") or name == ".github")
        )
        here, data = os.path.basename(folder), 0
        for name in sorted(names):
            if name.endswith((".py", ".ipynb", *SUFFIXES)) or name in _NAMES:
                count += 1
                yield Path(folder, name)
            elif others < _MOST_JOB_FILES and (is_guide(name) or kind_of(name, here) is not None):
                data += may_be_data(name)
                if data > MOST_DATA and may_be_data(name):
                    continue
                others += 1
                yield Path(folder, name)
            elif is_page(name) and pages < _MOST_PAGES:
                pages += 1
                yield Path(folder, name)
