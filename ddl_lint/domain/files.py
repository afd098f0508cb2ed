"""What a run does with files: what it writes, reads, makes and removes, by which ranks, and under which path.

    for use in file_uses(run, Save, WriteFile):
        if use.writes and not use.looks_first:
            ...

`RunFiles` is the same as plain data, which a rule may `publish`: runs of other programs read what this one writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ddl_lint.analysis.queries.control_context import catches
from ddl_lint.analysis.ranks.guards import is_kept_out, passes
from ddl_lint.analysis.ranks.processes import job
from ddl_lint.analysis.values.certainty import always, is_absent, objects
from ddl_lint.analysis.values.contexts import branches, rank_guards
from ddl_lint.analysis.view import RunView
from ddl_lint.domain.file_names import FileName
from ddl_lint.domain.paths import Path, asks_for_any
from ddl_lint.program.event_types import Load, Save, SaveSharded, WriteFile
from ddl_lint.program.trace import Event
from ddl_lint.program.values import NONE, Const, Value

_MISSING = ("FileNotFoundError", "OSError", "IOError", "Exception", "BaseException")
_THERE = ("FileExistsError", "OSError", "IOError", "Exception", "BaseException")


@dataclass(frozen=True, slots=True)
class FileUse:
    """An event that is about a file or folder: it is written, read, made or removed."""

    event: Event

    # --- what ---------------------------------------------------------------------------------------------------------

    @property
    def path(self) -> Path:
        """The path that the call gives; else the folder of an object that manages its files itself."""
        return Path(self.event.operands.get("path", self._folder))

    @property
    def _folder(self) -> Value | None:
        managers = objects(self.event.operands.get("object"))
        return next((made.given["directory"] for made in managers if "directory" in made.given), None)

    @property
    def reads(self) -> bool:
        """Whether it surely reads: a load, or a file that is opened without a mode, or to be read."""
        if self.event.kind in ("load", "load_sharded"):
            return True
        return self.event.kind == "write_file" and (is_absent(self.event, "mode") or self._is_opened("r"))

    @property
    def may_read(self) -> bool:
        """Whether it is a load, or a file that may be opened to be read."""
        mode = self.event.operands.get("mode", NONE)
        return self.event.kind == "load" or (self.event.kind == "write_file" and not always(mode, _replaces))

    @property
    def writes(self) -> bool:
        """Whether it surely writes the file anew: all but a file that is opened otherwise."""
        return self.event.kind not in ("load", "load_sharded", "write_file") or self._is_opened("wx")

    @property
    def appends(self) -> bool:
        """Whether it surely adds to what is in the file."""
        return self.event.kind == "write_file" and self._is_opened("a")

    def _is_opened(self, letters: str) -> bool:
        return self.event.kind == "write_file" and always(
            self.event.operands.get("mode"), lambda mode: bool(_letters(mode) & set(letters))
        )

    # --- under which circumstances ------------------------------------------------------------------------------------

    @property
    def looks_first(self) -> bool:
        """Whether the program looks first whether some file is there."""
        return any(asks_for_any(node.value) for node in branches(self.event.context))

    @property
    def looks_for_it_first(self) -> bool:
        """Whether it looks first whether this very file is there, as the reader of a cache does."""
        path = Path(self.event.operands.get("path"))
        return any(path.is_asked_for_by(node.value) for node in branches(self.event.context))

    @property
    def bears_missing(self) -> bool:
        """Whether the program is ready for a file that is not there."""
        return catches(self.event.context, *_MISSING)

    @property
    def bears_existing(self) -> bool:
        """Whether the program is ready for a folder that is there already."""
        return catches(self.event.context, *_THERE)

    # --- by whom ------------------------------------------------------------------------------------------------------

    @property
    def is_by_some_ranks(self) -> bool:
        """Whether a check of the rank surely keeps some process away."""
        return bool(rank_guards(self.event.context)) and any(is_kept_out(self.event, process) for process in job(2, 2))

    @property
    def is_by_every_rank(self) -> bool:
        """Whether no check of the rank keeps a process away."""
        return all(passes(self.event, process) for process in job(2, 2))


def _letters(mode: Value) -> frozenset[str]:
    return frozenset(mode.value) if isinstance(mode, Const) and isinstance(mode.value, str) else frozenset()


def _replaces(mode: Value) -> bool:
    return bool(_letters(mode)) and not _letters(mode) & {"r", "+"}


def file_uses(run: RunView, *kinds: type[Event]) -> Iterator[FileUse]:
    """The events of some kinds as uses of files, in order."""
    return map(FileUse, run.events(*kinds))


# --- as data that runs tell each other --------------------------------------------------------------------------------


@dataclass(frozen=True)
class RunFiles:
    """The files of a run, as its code names them. A name is None where the path is not known at all."""

    loads: frozenset[FileName]
    """What it loads as a whole."""

    reads: frozenset[FileName]
    """That, and what it may open to be read."""

    saves: frozenset[FileName | None]
    """What it saves."""

    parts: frozenset[FileName | None]
    """What it saves in parts, one of each rank."""

    @classmethod
    def of(cls, run: RunView) -> RunFiles:
        """The files of a run."""
        return run.once(_files_of)

    def loads_surely(self, name: FileName | None) -> bool:
        """Whether it loads the very file."""
        return name in self.loads

    def may_load(self, name: FileName | None) -> bool:
        """Whether it loads what may be the file."""
        return any(each.may_be(name) for each in self.loads)

    def loads_alike(self, name: FileName | None) -> bool:
        """Whether it loads what may be the file, or has a name that looks like it."""
        return any(each.may_be(name) or each.looks_like(name) for each in self.loads)

    def may_name(self, name: FileName) -> bool:
        """Whether it reads what has the same name, or one that looks like it."""
        return any(name.looks_like(each) for each in self.reads)

    def saves_surely(self, name: FileName | None) -> bool:
        """Whether it saves the very file."""
        return name is not None and name.written is not None and name in self.saves

    def may_save(self, name: FileName | None) -> bool:
        """Whether it saves what may be the file, at once or in parts."""
        return may_be_among(name, (*self.saves, *self.parts))


def may_be_among(name: FileName | None, names: Iterable[FileName | None]) -> bool:
    """Whether a file may be one of several; an unknown one may be any."""
    return any(name is None or name.may_be(each) for each in names)


def _files_of(run: RunView) -> RunFiles:
    loads = [name for load in run.events(Load) if (name := FileName.of(load.path)) is not None]
    opened = [FileName.of(event.path) for event in run.events(WriteFile) if FileUse(event).may_read]
    return RunFiles(
        frozenset(loads),
        frozenset((*loads, *(name for name in opened if name is not None))),
        frozenset(FileName.of(save.path) for save in run.events(Save)),
        frozenset(FileName.of(save.path) for save in run.events(SaveSharded)),
    )
