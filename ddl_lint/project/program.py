"""Which files belong to the program of some files: those that import them, directly or through others; and which of
them are worth following. Import lines alone decide it; nothing is parsed for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ddl_lint.analysis.interpreter.project.codebase import Codebase, Source
from ddl_lint.analysis.interpreter.project.entries import may_start
from ddl_lint.project.contents import Contents
from ddl_lint.project.project_context import marked_root
from ddl_lint.syntax import Import, Triage

_MOST_UNMARKED = 2_000
"""Files of a folder that nothing marks as a project, beyond which it may be anything, and no callers are looked for."""


class ImportGraph:
    """Who imports whom in a project."""

    def __init__(self, codebase: Codebase, files: Contents, before: ImportGraph | None = None) -> None:
        """`before` is the graph of an earlier state of the project: what still holds of it is taken over."""
        self._codebase = codebase
        self._files = files
        self._lines: dict[str, Sequence[Import]] = {}
        self._imported: dict[str, frozenset[str]] = {}
        self._mentions: Mapping[str, Sequence[str]] | None = None
        if before is not None and before._holds(codebase, files):
            self._lines, self._imported, self._mentions = before._lines, before._imported, before._mentions

    @property
    def sources(self) -> Mapping[str, Source]:
        """The files of the project by their names."""
        return self._codebase.sources

    def _holds(self, codebase: Codebase, files: Contents) -> bool:
        sources = codebase.sources
        is_same = self._codebase.sources == sources and self._codebase.packages == codebase.packages
        return is_same and all(files.imports(sources[name].path) == lines for name, lines in self._lines.items())

    def imported(self, name: str) -> frozenset[str]:
        """The modules of the project that a module imports itself."""
        if name not in self._imported:
            each = (part for line in self._lines_of(name) for part in self._meant(line, name))
            self._imported[name] = frozenset(part for part in each if part in self._codebase.sources)
        return self._imported[name]

    def reached(self, names: Iterable[str]) -> frozenset[str]:
        """Modules, and all that they import, directly or through others."""
        found = set(names)
        waiting = [*found]
        while waiting:
            new = self.imported(waiting.pop()) - found
            found |= new
            waiting += new
        return frozenset(found)

    def importers(self, names: Iterable[str]) -> set[str]:
        """The modules that import some modules, directly or through others; some of those may be among them."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            wanted = waiting.pop()
            for importer in self._mentioning(wanted):
                if importer not in found and wanted in self.imported(importer):
                    found.add(importer)
                    waiting.append(importer)
        return found

    def _mentioning(self, wanted: str) -> Sequence[str]:
        """The modules in whose import lines the last part of a name is: few, of whom all that import it are."""
        if self._mentions is None:
            mentions: dict[str, dict[str, None]] = defaultdict(dict)
            for name in self._codebase.sources:
                for line in self._lines_of(name):
                    for word in self._words(line, name):
                        mentions[word][name] = None
            self._mentions = {word: tuple(found) for word, found in mentions.items()}
        return self._mentions.get(_last(wanted), ())

    def _lines_of(self, name: str) -> Sequence[Import]:
        if name not in self._lines:
            self._lines[name] = self._files.imports(self._codebase.sources[name].path)
        return self._lines[name]

    def _words(self, line: Import, importer: str) -> Iterator[str]:
        module = self._codebase.relative(line.module, line.level, importer) if line.level else line.module
        yield _last(module)
        yield from line.names
        if not line.names:
            yield module.partition(".")[0]

    def _meant(self, line: Import, importer: str) -> Iterator[str]:
        if line.level:
            module: str | None = self._codebase.relative(line.module, line.level, importer)
        else:
            module = self._codebase.find(line.module, importer)
            if not line.names:
                first = self._codebase.find(line.module.partition(".")[0], importer)
                yield from () if first is None else (first,)
        if module is not None:
            yield module
            yield from (f"{module}.{name}" if module else name for name in line.names)


def _last(name: str) -> str:
    return name.rpartition(".")[2]


@dataclass(frozen=True)
class Program:
    """Files of one project that are checked, and what belongs to their program."""

    root: Path
    given: Sequence[str]
    """Paths: what is asked for."""
    callers: Sequence[str]
    """Paths: what imports those files. The scripts among them are followed, too."""
    sources: Mapping[str, Source]
    codebase: Codebase
    graph: ImportGraph

    @property
    def checked(self) -> Sequence[str]:
        """The paths of the files whose runs count."""
        return [*self.given, *self.callers]


def callers(given: Sequence[Source], root: Path, graph: ImportGraph) -> list[Source]:
    """The other files of a project that import the given ones, directly or through others."""
    known = {source.name for source in given}
    sources = graph.sources
    if len(known) == len(sources) or (len(sources) > _MOST_UNMARKED and marked_root(root) is None):
        return []
    return [sources[name] for name in sorted(graph.importers(known) - known)]


class Relevance:
    """Tells which modules are worth following."""

    def __init__(
        self,
        codebase: Codebase,
        graph: ImportGraph,
        files: Contents,
        triage: Triage,
        started: Collection[str] = (),
    ) -> None:
        """`started` are the modules of which somebody starts a function."""
        self._started = started
        self._codebase = codebase
        self._graph = graph
        self._files = files
        self._triage = triage
        self._givers: dict[str, list[str]] = {}

    def of(self, name: str) -> bool:
        """Whether a module imports a framework, is handed one by another (`from common import *`), or is a script that
        imports such a module, directly or through others.
        """
        path = self._codebase.sources[name].path
        if self._files.can_matter(path, self._triage) or self._is_handed(name):
            return True
        data = self._files.bytes_of(path)
        starts = name in self._started or (data is not None and may_start(data))
        return starts and self._leads_there(name, self._graph.imported)

    def _is_handed(self, name: str) -> bool:
        return self._leads_there(name, self._givers_of)

    def _leads_there(self, name: str, step: Callable[[str], Iterable[str]]) -> bool:
        """Whether steps from a module lead to one that imports a framework."""
        seen, waiting = {name}, [name]
        while waiting:
            for other in step(waiting.pop()):
                if self._files.can_matter(self._codebase.sources[other].path, self._triage):
                    return True
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return False

    def _givers_of(self, name: str) -> list[str]:
        if name not in self._givers:
            sources = self._codebase.sources
            data = self._files.bytes_of(sources[name].path)
            written = self._triage.handed_on(data) if data is not None else ()
            meant = {self._meant(giver, name) for giver in written}
            self._givers[name] = [each for each in meant if each is not None and each in sources]
        return self._givers[name]

    def _meant(self, giver: str, importer: str) -> str | None:
        module = giver.lstrip(".")
        level = len(giver) - len(module)
        return self._codebase.relative(module, level, importer) if level else self._codebase.find(module, importer)
