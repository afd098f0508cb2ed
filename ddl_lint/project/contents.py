"""The contents of files in a check: texts, documents and programs, each made once, and again only after a change."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ddl_lint.allowance import Allowance
from ddl_lint.analysis.interpreter.project.codebase import Source
from ddl_lint.crash import NOT_OURS, crash
from ddl_lint.finding import Finding, RuleFinding
from ddl_lint.jobs.file_names import LARGEST
from ddl_lint.program import code
from ddl_lint.program.lowered import LoweredFile
from ddl_lint.program.stored import StoredPrograms
from ddl_lint.project.inputs import Inputs
from ddl_lint.source import (
    Document,
    SourceError,
    document_from_bytes,
    document_from_text,
    read_bytes,
    text_from_bytes,
)
from ddl_lint.source.span import Location
from ddl_lint.source.suppressions import Suppressions, expiry, find_suppressions
from ddl_lint.storage import Storage, digest, stamp
from ddl_lint.syntax import Import, Triage, imports
from ddl_lint.syntax.dialects import told_once
from ddl_lint.timing import stage

if TYPE_CHECKING:
    from ddl_lint.lowering.pieces import PieceCache

SYNTAX_ERROR, UNREADABLE, BUDGET = "DDL001", "DDL003", "DDL006"


def _is_template(path: str) -> bool:
    """Whether a file is in a folder that gets its name later (`{{cookiecutter.name}}`), with blanks to be filled in."""
    return "{{" in path.rpartition("/")[0]


@dataclass
class _Kept:
    """What is known of one file since it was last looked at."""

    stamp: object = None
    """What tells whether the file on disk is still the same; the text itself where an editor holds it."""

    data: bytes | None = None
    digest: str = ""
    """A name for the bytes; empty when they were not read, or the file cannot be read."""

    document: Document | None = None
    suppressions: Suppressions | None = None
    matters: tuple[Triage, bool] | None = None
    runs_launchers: bool | None = None
    imports: tuple[Import, ...] | None = None
    lowered: LoweredFile | None = None
    source: Source | None = None
    pieces: PieceCache | None = None
    """The parts that its program was made of; only for texts in an editor, which change again and again."""


class Memory:
    """What is kept of files from one check to the next; with their pieces when it is `lasting`."""

    def __init__(self, *, lasting: bool = False) -> None:
        self._lasting = lasting
        self._kept: dict[str, _Kept] = {}

    def of(self, path: str, stamp: object) -> _Kept:
        """What is known of a file; nothing but its pieces where the stamp has changed."""
        kept = self._kept.get(path)
        if kept is None or kept.stamp != stamp:
            pieces: PieceCache | None = {} if self._lasting else None
            kept = self._kept[path] = _Kept(stamp, pieces=pieces if kept is None else kept.pieces)
        return kept

    def forget(self, path: str) -> None:
        """Keep nothing of a file, because it may be spoilt."""
        self._kept.pop(path, None)


class Contents:
    """The contents of files during one check. What cannot be read is noted in `faults`."""

    def __init__(
        self, overlay: Mapping[str, str], memory: Memory | None = None, storage: Storage | None = None
    ) -> None:
        """`overlay` are texts that replace the contents of files, by path; they change often and are not stored. (One
        that is what the disk held when it was lowered, as in an editor that has just opened it, is not lowered again.)
        """
        self.documents: dict[str, Document] = {}
        self.faults: list[RuleFinding] = []
        self.is_lasting = True
        """Whether the programs would be the same again: no process that made one was given up."""

        self._overlay = overlay
        self._memory = memory or Memory()
        self._now: dict[str, _Kept] = {}
        self._programs = StoredPrograms(storage) if storage is not None else None
        self._failed: set[str] = set()

    def is_replaced(self, path: str) -> bool:
        """Whether the content of a file is taken from an editor."""
        return path in self._overlay

    def bytes_of(self, path: str) -> bytes | None:
        """The bytes of a file, None when it cannot be read."""
        kept = self._of(path)
        if kept.data is None and path not in self._failed:
            if path in self._overlay:
                kept.data = self._overlay[path].encode("utf-8", "surrogatepass")
            else:
                try:
                    with stage("read", path):
                        kept.data = read_bytes(path)
                    kept.digest = digest(kept.data)
                except SourceError as error:
                    self._fail(path, error)
        return kept.data

    def document(self, path: str) -> Document | None:
        """The document of a file, None when it cannot be read."""
        if path not in self.documents and path not in self._failed:
            kept = self._of(path)
            try:
                with stage("read", path):
                    if kept.document is None and path in self._overlay:
                        kept.document = document_from_text(path, self._overlay[path])
                    elif kept.document is None and (data := self.bytes_of(path)) is not None:
                        kept.document = document_from_bytes(path, data)
            except SourceError as error:
                self._fail(path, error)
            except NOT_OURS:
                raise
            except BaseException as error:
                self._failed.add(path)
                self.faults.append(crash("reading", error, Location(path, 0, 0)))
            if kept.document is not None:
                self.documents[path] = kept.document
        return self.documents.get(path)

    def held(self, path: str) -> str | None:
        """The text that replaces the content of a file; None where that on the disk counts."""
        return self._overlay.get(path)

    def side_text(self, path: str) -> str | None:
        """The text of a file that is no program; None for one that cannot be read, or is long."""
        if path in self._overlay:
            document = Document(path, self._overlay[path], "text")
        else:
            kept = self._of(path)
            if kept.data is None and not _is_short(path):
                return None
            try:
                if kept.data is None:
                    kept.data = read_bytes(path, LARGEST)
                    kept.digest = digest(kept.data)
                document = text_from_bytes(path, kept.data)
            except SourceError:
                return None
        self.documents.setdefault(path, document)
        return document.text

    def can_matter(self, path: str, triage: Triage) -> bool:
        """Whether a file can be read and imports one of the packages that are looked for."""
        kept = self._of(path)
        if kept.matters is None or kept.matters[0] is not triage:
            data = self.bytes_of(path)
            kept.matters = triage, data is not None and triage.can_matter(data)
        return kept.matters[1]

    def imports(self, path: str) -> tuple[Import, ...]:
        """What the import lines of a file bring in; nothing when it cannot be read."""
        kept = self._of(path)
        if kept.imports is None:
            kept.imports = imports(self.bytes_of(path) or b"")
        return kept.imports

    def suppressions(self, document: Document) -> Suppressions:
        """The suppression comments of a document of this check."""
        kept = self._of(document.path)
        if kept.suppressions is None:
            kept.suppressions = find_suppressions(document)
        return kept.suppressions

    def program(self, source: Source) -> code.Module | None:
        """The program of a file; its syntax errors are noted, and faults of ours.

        The same object as long as the file is the same.
        """
        lowered, document = self._lowered_file(source), self.document(source.path)
        if lowered is None or document is None:
            return None
        for fault in told_once(document.text, lowered.faults) if not _is_template(source.path) else ():
            code = BUDGET if fault.is_legal else SYNTAX_ERROR
            found = Finding(fault.message, Location(source.path, *fault.span), cause=fault.dialect or None)
            self.faults.append(RuleFinding(code, found))
        return lowered.module

    def quiet_program(self, source: Source) -> code.Module | None:
        """The program of a file that need not be one of those that are checked: its syntax errors are not noted."""
        lowered = self._lowered_file(source)
        return lowered.module if lowered is not None else None

    def may_run_launchers(self, path: str) -> bool:
        """Whether a program or notebook may have a command of a launcher in it."""
        kept = self._of(path)
        if kept.runs_launchers is None:
            from ddl_lint.jobs.launch_facts import starts_processes  # brings in all readers of launch files
            from ddl_lint.jobs.program_triage import may_run_launchers

            data = self.bytes_of(path)
            is_notebook = path.lower().endswith(".ipynb")
            kept.runs_launchers = data is not None and (starts_processes if is_notebook else may_run_launchers)(data)
        return kept.runs_launchers

    def _lowered_file(self, source: Source) -> LoweredFile | None:
        document = self.document(source.path)
        if document is None:
            return None
        kept = self._of(source.path)
        if kept.lowered is None or kept.source != source:
            try:
                kept.lowered = self._lowered(source, document, kept)
                kept.source = source
            except NOT_OURS:
                raise
            except BaseException as error:
                self.faults.append(crash("lowering", error, Location(source.path, 0, 0)))
                self._memory.forget(source.path)
                return None
        return kept.lowered

    def digest_of(self, path: str) -> str:
        """A name for the bytes of a file, or of the text that an editor holds; empty if it cannot be read."""
        if path in self._overlay:
            document = self.document(path)
            return self._name_on_disk(document) if document is not None else ""
        return self._of(path).digest if self.bytes_of(path) is not None else ""

    def earlier(self, module: code.Module, content: str) -> code.Module | None:
        """The program of a file with another content, which is given by its digest; None if it is not stored."""
        if self._programs is None:
            return None
        known = self._programs.load(module.path, content, module.name, is_package=module.is_package)
        return known.module if known is not None else None

    def prepare(self, sources: Iterable[Source], jobs: int, seconds: float, allowance: Allowance) -> None:
        """Lower files that are going to be needed, in up to `jobs` processes at once if there are enough of them; none
        may take longer than `seconds`, and all of them no longer than the check may.
        """
        if jobs < 2:
            return
        wanted: list[tuple[Source, bytes]] = []
        for source in sources:
            kept, data = self._of(source.path), self.bytes_of(source.path)
            is_new = kept.lowered is None and source.path not in self._overlay
            if data is not None and is_new and not self._is_stored(source, kept):
                wanted.append((source, data))
        from ddl_lint.project.pool import Task, lower_all, worthwhile

        tasks = [Task(source, data) for source, data in wanted]
        with suppress(OSError):  # no process can be started: what is missing is lowered here
            for task, lowered, is_lasting in lower_all(
                tasks, worthwhile(tasks, jobs), patience=seconds, allowance=allowance
            ):
                kept = self._of(task.source.path)
                kept.lowered, kept.source = lowered, task.source
                self.is_lasting = self.is_lasting and is_lasting
                if is_lasting and self._programs is not None:
                    self._programs.store(kept.digest, lowered)

    def _is_stored(self, source: Source, kept: _Kept) -> bool:
        stored = self._programs
        return stored is not None and stored.holds(source.path, kept.digest, source.name, is_package=source.is_package)

    def _lowered(self, source: Source, document: Document, kept: _Kept) -> LoweredFile:
        stored = self._programs
        name = kept.digest or ("" if kept.pieces else self._name_on_disk(document))
        if stored is not None and name:
            known = stored.load(source.path, name, source.name, is_package=source.is_package)
            if known is not None:
                return known
        from ddl_lint.lowering import lower

        pieces = kept.pieces if source.path in self._overlay else None  # what only lies on a disk changes too seldom
        lowered = lower(document, source.name, is_package=source.is_package, pieces=pieces)
        if stored is not None and kept.digest:
            stored.store(kept.digest, lowered)
        return lowered

    def _name_on_disk(self, document: Document) -> str:
        """The name of the bytes from which a text comes that an editor holds; empty when it is not that of a file."""
        data = self.bytes_of(document.path)
        try:
            same = data is not None and document_from_bytes(document.path, data).text == document.text
        except SourceError:
            return ""
        return digest(data) if same and data is not None else ""

    def note(self, inputs: Inputs) -> None:
        """Note all files that were looked at."""
        for path, kept in self._now.items():
            if path not in self._overlay:
                inputs.file(path, kept.stamp, kept.digest)
            if kept.suppressions is not None:
                inputs.until(expiry(kept.suppressions))

    def _of(self, path: str) -> _Kept:
        if path not in self._now:
            self._now[path] = self._memory.of(path, self._overlay.get(path) or stamp(path))
        return self._now[path]

    def _fail(self, path: str, error: SourceError) -> None:
        self._failed.add(path)
        line = f"; see line {error.line}" if error.line and error.line > 1 else ""
        self.faults.append(RuleFinding(UNREADABLE, Finding(f"the file {error.message}{line}", Location(path, 0, 0))))


def _is_short(path: str) -> bool:
    try:
        return os.stat(path).st_size <= LARGEST
    except (OSError, ValueError):
        return False
