"""The modules of a project under all the names by which they import each other."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import PurePath

from ddl_lint.jobs.neighbourhood import Neighbourhood
from ddl_lint.program import code

_STANDARD = sys.stdlib_module_names


@dataclass(frozen=True, slots=True)
class Source:
    """A file of the project: its path, its name in the project, whether it is a package's `__init__`."""

    path: str
    name: str
    is_package: bool


def name_of(path: PurePath, root: PurePath) -> Source:
    """The name of a file in the project: its path from the root, with dots.

    Directories need no `__init__.py` for this; which of them are on `sys.path` when a script runs
    is found out per import. What no import can name (a notebook, `v1.2/train.py`) gets slashes in its name.
    """
    try:
        relative = path.relative_to(root)
    except ValueError:
        relative = PurePath(path.name)
    parts = [*relative.parts[:-1], relative.stem if path.suffix == ".py" else relative.name]
    is_package = relative.name == "__init__.py"
    if is_package:
        parts.pop()
    return Source(path.as_posix(), ".".join(part.replace(".", "/") for part in parts), is_package)


def name_all(paths: Iterable[PurePath], root: PurePath) -> dict[str, Source]:
    """Files of the project by path, each under a name of its own; `import a` means `a/__init__.py` before `a.py`."""
    named = sorted((name_of(path, root) for path in paths), key=lambda source: (not source.is_package, source.path))
    taken: set[str] = set()
    sources: dict[str, Source] = {}
    for source in named:
        while source.name in taken:
            source = replace(source, name=f"{source.name}/")
        taken.add(source.name)
        sources[source.path] = source
    return sources


class Codebase:
    """Finds modules by import name, and lowers a file when it is first needed."""

    def __init__(
        self,
        sources: Iterable[Source],
        load: Callable[[Source], code.Module | None],
        neighbourhood: Neighbourhood | None = None,
    ) -> None:
        """The modules that some files are.

        Args:
            sources: The files.
            load: Returns the program of a file, or None when it cannot be read.
            neighbourhood: Tells which modules a program may find in folders that it adds to its path; without it, all.
        """
        self._neighbourhood = neighbourhood
        self.sources = {source.name: source for source in sources}
        self._load = load
        self._modules: dict[str, code.Module | None] = {}
        self._by_last: dict[str, list[str]] = defaultdict(list)
        self._packages: dict[str, str] = {}  # name -> folder
        for name, source in self.sources.items():
            self._by_last[name.rpartition(".")[2]].append(name)
            parent, above = name.rpartition(".")[0], 1 if source.is_package else 0
            while parent and parent not in self._packages:
                self._packages[parent] = PurePath(source.path).parents[above].as_posix()
                parent, above = parent.rpartition(".")[0], above + 1
        for parent in self._packages.keys() - self.sources.keys():
            self._by_last[parent.rpartition(".")[2]].append(parent)
        self._found: dict[tuple[str, str], str | None] = {}

    def module(self, name: str) -> code.Module | None:
        """The program of a module of the project, None when there is none or it cannot be read."""
        if name not in self._modules:
            source = self.sources.get(name)
            self._modules[name] = self._load(source) if source is not None else None
        return self._modules[name]

    def loaded(self) -> list[code.Module]:
        """The modules that were lowered so far."""
        return [module for module in self._modules.values() if module is not None]

    @property
    def packages(self) -> frozenset[str]:
        """The folders that can be installed: with these and the sources, imports mean the same."""
        return self._neighbourhood.packages if self._neighbourhood is not None else frozenset()

    @property
    def looked_for(self) -> int:
        """For how many modules somebody has asked so far: as long as it is the same, so is `loaded`."""
        return len(self._modules)

    def is_namespace(self, name: str) -> bool:
        """A directory of the project without an `__init__.py`."""
        return name in self._packages and name not in self.sources

    def __contains__(self, name: str) -> bool:
        return name in self.sources or name in self._packages

    def find(self, name: str, importer: str) -> str | None:
        """The project's module that `import name` means in the module `importer`, or None for a library."""
        key = (name, importer)
        if key not in self._found:
            self._found[key] = self._search(name, importer)
        return self._found[key]

    def has_named(self, name: str, importer: str) -> bool:
        """Whether some module near another one has this name in its package: it may be meant where paths are added."""
        return bool(self._near(name, importer))

    def _near(self, last: str, importer: str) -> list[str]:
        """The modules with this last part in their names, but for those of neighbours of a module."""
        named = self._by_last.get(last, ())
        source = self.sources.get(importer)
        if source is None or self._neighbourhood is None:
            return list(named)
        reaches = self._neighbourhood.reaches
        return [name for name in named if reaches(source.path, self._path_of(name))]

    def _path_of(self, name: str) -> str:
        """The path of a module, or of the folder that it is."""
        source = self.sources.get(name)
        return source.path if source is not None else self._packages[name]

    def relative(self, name: str, level: int, importer: str) -> str:
        """The module that `from ..name import x` means in the module `importer`; `level` counts the dots."""
        package = importer if self.sources.get(importer, _NOWHERE).is_package else importer.rpartition(".")[0]
        for _ in range(level - 1):
            package = package.rpartition(".")[0]
        return ".".join(part for part in (package, name) if part)

    def _before_the_library(self, name: str, importer: str) -> str | None:
        """A file that hides a module of the standard library: the folder of a script is looked at first."""
        folder = importer.rpartition(".")[0]
        candidate = f"{folder}.{name}" if folder else name
        hides = candidate in self.sources and candidate != importer and folder not in self.sources
        return candidate if hides and name.partition(".")[0] in _RARE else None

    def _search(self, name: str, importer: str) -> str | None:
        first = name.partition(".")[0]
        if not name:
            return None
        if first in _STANDARD:
            return self._before_the_library(name, importer)
        # Directories that may be on sys.path: the importer's own, and each one above it.
        parent = importer if self.sources.get(importer, _NOWHERE).is_package else importer.rpartition(".")[0]
        while True:
            candidate = f"{parent}.{name}" if parent else name
            if candidate in self and candidate != importer:
                return candidate
            if f"{parent}.src.{name}".lstrip(".") in self:
                return f"{parent}.src.{name}".lstrip(".")
            if not parent:
                break
            parent = parent.rpartition(".")[0]
        if "." not in name:
            return self._in_added_folder(name, importer)
        ending = "." + name
        found = [candidate for candidate in self._near(name.rpartition(".")[2], importer) if candidate.endswith(ending)]
        best = max(found, key=lambda candidate: (_common(candidate, importer), -len(candidate)), default=None)
        return best if best is not None else self._in_root_package(name)

    def _in_added_folder(self, name: str, importer: str) -> str | None:
        """A module beside no importer, as where a program adds folders to `sys.path`: the only one of its name, and no
        part of a package, which may well be named after a library.
        """
        near = self._near(name, importer)
        is_only = len(near) == 1 and near[0].rpartition(".")[0] not in self.sources and near[0] != importer
        return near[0] if is_only else None

    def _in_root_package(self, name: str) -> str | None:
        """A module that is imported from the root of the project as from a package, by the name of its folder."""
        root, (package, _, inner) = self.sources.get(""), name.partition(".")
        if root is None or inner not in self:
            return None
        folder = PurePath(root.path).parent.name  # a checkout may have the owner or the branch in its name
        return inner if package in _NOT_IN_NAMES.split(folder) else None


_RARE = frozenset(
    {"chunk", "cmd", "code", "filecmp", "fileinput", "formatter", "graphlib", "mailbox", "parser", "pipes", "profile",
     "sched", "statistics", "symbol", "test", "trace", "wave"}
)  # fmt: skip
"""Modules of the standard library that hardly anybody imports. A file with the name of another one cannot be beside
a script: the libraries that want the module would get it.
"""

_NOT_IN_NAMES = re.compile(r"\W+")

_NOWHERE = Source("", "", is_package=False)


def _common(first: str, second: str) -> int:
    """How many leading parts two dotted names share."""
    count = 0
    for left, right in zip(first.split("."), second.split("."), strict=False):
        if left != right:
            break
        count += 1
    return count
