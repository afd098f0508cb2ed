"""What is made of files: the texts that they should hold, and what is found in them then."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ddl_lint.check.report import Report
from ddl_lint.diagnostic import Diagnostic
from ddl_lint.fixes.diff import unified_diff
from ddl_lint.fixes.rounds import Failure, Texts
from ddl_lint.fixes.texts import encoded
from ddl_lint.fixes.write import Change, write_all
from ddl_lint.output.places import shown_name
from ddl_lint.project.discover import Problem
from ddl_lint.project.project_context import projects
from ddl_lint.source import Document, SourceError, read_bytes


@dataclass
class Files:
    """The files that may be changed, with the bytes and the text that each of them held at first.

    `overlay` are texts that replace files: they are changed, but nothing is written.
    """

    paths: Collection[str]
    overlay: Mapping[str, str]
    documents: Mapping[str, Document]
    _bytes: dict[str, bytes] = field(default_factory=dict[str, bytes])

    def text(self, path: str) -> str | None:
        """The content of a file, decoded; None for one that may not be changed, or cannot be written back as it is."""
        if path not in self.paths:
            return None
        if path in self.overlay:
            return self.overlay[path]
        document = self.documents.get(path)
        if document is None:
            return None
        if path not in self._bytes:
            try:
                self._bytes[path] = read_bytes(path)
            except SourceError:
                return None
        content = self._bytes[path]
        if document.kind == "notebook":
            return content.decode("utf-8")
        return document.text if encoded(document, document.text) == content else None

    def write(self, texts: Texts) -> None:
        """Put texts into their files. Raises `WriteError`, and `Unfixable` where an encoding lacks a letter."""
        changes = {path: Change(self._bytes[path], encoded(self.documents[path], text)) for path, text in texts.items()}
        write_all(changes, projects(map(Path, self.paths)))

    def diff(self, texts: Texts) -> str:
        """What has become of the files, as a unified diff."""
        return "".join(
            unified_diff(path, shown_name(path), self.text(path) or "", text) for path, text in sorted(texts.items())
        )


@dataclass(frozen=True)
class Leftover:
    """What is left after the fixes, by reason."""

    unsafe: Sequence[Diagnostic]
    """A fix exists, but unsafe ones were not wanted."""

    elsewhere: Sequence[Diagnostic]
    """The fix would change a file that is not among those that are checked."""

    declined: Sequence[Diagnostic]
    failed: Sequence[Failure]
    without: Sequence[Diagnostic]
    """There is no fix."""


@dataclass(frozen=True)
class Changes:
    """What a task has made of files, or would make of them."""

    files: Files
    texts: Mapping[str, str]
    """The files that have changed, with what they should hold."""

    report: Report
    """What is found in them then."""

    fixed: Sequence[Diagnostic] = ()
    left: Leftover | None = None
    """Why the rest is left; None where no fixes were wanted."""

    problems: Sequence[Problem] = ()
    """Fixes of ours that were taken back."""

    def write(self) -> None:
        """Put the texts into their files. Raises `WriteError`, and `Unfixable` where an encoding lacks a letter."""
        self.files.write(self.texts)

    def diff(self) -> str:
        """What becomes of the files, as a unified diff."""
        return self.files.diff(self.texts)
