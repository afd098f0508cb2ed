"""What is open in the editor, as the checks see it: files with a path, a text and a stamp."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types

from ddl_lint.jobs.file_names import is_job_file
from ddl_lint.project.config import CONFIG_FILES
from ddl_lint_server.messages import Place, Text, Workspace
from ddl_lint_server.notebooks import Notebooks, OpenNotebook
from ddl_lint_server.texts import OpenText, Texts, is_file, path_of, uri_of
from ddl_lint_server.worker import Snapshot


@dataclass(frozen=True, slots=True)
class Subject:
    """A document that is checked: a Python file, a launch file, or a notebook with all its cells."""

    path: str
    uri: str
    version: int
    stamp: int
    notebook: OpenNotebook | None = None

    def uri_of_cell(self, number: int) -> str:
        """The URI of a cell; that of the document itself for number 0."""
        return self.notebook.cell_uri(number) if self.notebook is not None and number else self.uri

    def uris(self) -> tuple[str, ...]:
        """Under which URIs findings of it are shown: those of the cells for a notebook."""
        if self.notebook is None:
            return (self.uri,)
        return tuple(cell.document for cell in self.notebook.cells if cell.kind == types.NotebookCellKind.Code)


class Documents:
    """The open documents, and the state of the world around them."""

    def __init__(self) -> None:
        self.texts = Texts()
        self.notebooks = Notebooks(self.texts)
        self.workspace = Workspace()
        self.disk = 0
        """Grows when something on the disk has changed, or may have."""
        self._known: tuple[object, dict[str, Subject]] | None = None

    def __iter__(self) -> Iterator[Subject]:
        """All that are checked; of several URIs of the same file, the one that has changed last."""
        return iter(tuple(self._subjects().values()))

    def _subjects(self) -> dict[str, Subject]:
        state = (self.texts.revision, self.notebooks.revision, self.workspace.folders)
        if self._known is None or self._known[0] != state:
            self._known = (state, self._gathered())
        return self._known[1]

    def _gathered(self) -> dict[str, Subject]:
        found: dict[str, Subject] = {}
        subjects = [self._of_text(text) for text in self.texts if self.notebooks.around(text.uri) is None]
        subjects += [self._of_notebook(notebook) for notebook in self.notebooks]
        for subject in subjects:
            if subject is not None and (subject.path not in found or found[subject.path].stamp < subject.stamp):
                found[subject.path] = subject
        return found

    def at(self, path: str) -> Subject | None:
        """The document with a path; None if it is not open."""
        return self._subjects().get(path)

    def of(self, uri: str) -> Subject | None:
        """The document with a URI, or the notebook with this cell; None if it is not open, or not checked."""
        notebook = self.notebooks.around(uri) or self.notebooks.get(uri)
        if notebook is not None:
            return self._of_notebook(notebook)
        text = self.texts.get(uri)
        return self._of_text(text) if text is not None else None

    def cell(self, uri: str) -> int:
        """The number of a cell in its notebook; 0 for what is no cell."""
        notebook = self.notebooks.around(uri)
        return notebook.number(uri) if notebook is not None else 0

    def uri_at(self, place: Place) -> str:
        """The URI that a place is in, as the client knows it."""
        subject = self.at(place.path)
        if subject is not None:
            return subject.uri_of_cell(place.cell)
        return next((text.uri for text in self.texts if self.path(text.uri) == place.path), uri_of(place.path))

    def open_configurations(self) -> dict[str, str]:
        """The texts of the configuration files that are open, by path."""
        named = ((self.path(text.uri), text.text) for text in self.texts if is_file(text.uri))
        return {path: text for path, text in named if path.rpartition("/")[2] in CONFIG_FILES}

    def version_at(self, uri: str) -> int | None:
        """The version of an open document or cell."""
        text = self.texts.get(uri)
        return text.version if text is not None else None

    def snapshot(self) -> Snapshot:
        """All of it at this moment."""
        texts: dict[str, Text] = {}
        for subject in self:
            if subject.notebook is not None:
                content = self.notebooks.source(subject.notebook)
            else:
                text = self.texts.get(subject.uri)
                content = text.text if text is not None else ""
            texts[subject.path] = Text(subject.stamp, content, is_file(subject.uri))
        return Snapshot(texts, self.workspace, self.disk)

    def path(self, uri: str) -> str:
        """The path of a file or an unsaved buffer; empty for anything else."""
        folder = (
            self.workspace.folders[-1] if self.workspace.folders else os.path.join(tempfile.gettempdir(), "untitled")
        )
        return path_of(uri, folder)

    def _of_text(self, text: OpenText) -> Subject | None:
        path = self.path(text.uri)
        suffix = Path(path).suffix.lower()
        if not path or suffix in (".ipynb", ".pyi"):
            return None
        is_python = (text.language == "python" or suffix == ".py") and not is_job_file(path)
        if not is_python and not text.is_launch:
            return None
        return Subject(path, text.uri, text.version, text.stamp)

    def _of_notebook(self, notebook: OpenNotebook) -> Subject | None:
        path = self.path(notebook.uri)
        if not path:
            return None
        if not path.lower().endswith(".ipynb"):
            path += ".ipynb"  # whatever is shown as a notebook is read as one
        return Subject(path, notebook.uri, notebook.version, notebook.stamp, notebook)
