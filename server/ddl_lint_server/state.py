"""The server: what it knows, and how its parts hang together."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import cast

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer

from ddl_lint import __version__
from ddl_lint_server.convert import Abilities, Converter
from ddl_lint_server.documents import Documents
from ddl_lint_server.messages import Answer, Check, Checked, Question, Request
from ddl_lint_server.progress import ScanProgress
from ddl_lint_server.protocol import Protocol
from ddl_lint_server.scan import WorkspaceScan
from ddl_lint_server.schedule import Schedule
from ddl_lint_server.worker import Snapshot, Worker

_NOTEBOOKS = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithCells(notebook=kind, cells=[types.NotebookCellLanguage(language="python")])
        for kind in ("jupyter-notebook", "interactive")
    ],
    save=True,
)

_KEPT_BY_US = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
)

_KEPT_TOKENS = 64  # a client may name work that is over, or never was
_REFRESH_DELAY = 0.05  # a client that waits for findings shall have its answer first


class Server(LanguageServer):
    """A language server with a worker that checks. Everything here happens in the event loop; nothing takes long."""

    def __init__(self) -> None:
        super().__init__("ddl-lint", __version__, notebook_document_sync=_NOTEBOOKS, protocol_cls=Protocol)  # pyright: ignore[reportUnknownMemberType]
        # The library would keep a second copy of each text, with other ideas of what a line is.
        builtin = cast("dict[str, object]", self.protocol.fm.builtin_features)  # pyright: ignore[reportUnknownMemberType]
        for method in _KEPT_BY_US:
            builtin.pop(method, None)
        self.documents = Documents()
        self.can = Abilities()
        self.worker = Worker(self.log_later)
        self.aside = Worker(self.log_later)
        """Answers questions while the other one checks; its process is started with the first of them."""
        self.schedule = Schedule(self._check, self.documents.snapshot, self._found, self.log)
        self.scan = WorkspaceScan(self.worker.ask, self.documents.snapshot, self.log)
        self.given: dict[str, str] = {}
        """Path of a document to the digest of the findings that the client has pulled last."""
        self.broken_off: deque[types.ProgressToken] = deque(maxlen=_KEPT_TOKENS)
        """Tokens of the work that the user has broken off last."""
        self._published: dict[str, tuple[int | None, list[types.Diagnostic]]] = {}
        self.was_shut_down = False
        self.started = time.monotonic()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._refresh: asyncio.TimerHandle | None = None

    @property
    def converter(self) -> Converter:
        """Makes what the client is sent."""
        return Converter(self.documents, self.can)

    def begin(self) -> None:
        """To be called when the event loop runs."""
        self._loop = asyncio.get_running_loop()

    def only_pushes(self) -> None:
        """Do not offer to be asked for findings."""
        features = cast("dict[str, object]", self.protocol.fm.features)  # pyright: ignore[reportUnknownMemberType]
        for method in (types.TEXT_DOCUMENT_DIAGNOSTIC, types.WORKSPACE_DIAGNOSTIC):
            features.pop(method, None)

    async def ask(self, question: Question) -> Answer:
        """The answer to a question about the present texts. No check is waited for.

        Raises:
            WorkerError: there is none.
        """
        worker = self.aside if self.worker.is_checking else self.worker
        return await worker.ask(question, self.documents.snapshot())

    def end_workers(self) -> None:
        """End all processes. There will be no others."""
        self.worker.close()
        self.aside.close()

    async def _check(self, request: Request, snapshot: Snapshot) -> Answer:
        """Ask the worker; tell the user while it reads a project for the first time. Clients that pull see it in the
        scan of the workspace, for which they ask themselves.
        """
        is_first = isinstance(request, Check) and not request.alone and not self.schedule.is_read(request.path)
        if not is_first or self.can.pulls:
            return await self.worker.ask(request, snapshot)
        async with ScanProgress(self, None, is_cancellable=False):
            return await self.worker.ask(request, snapshot)

    # --- telling ------------------------------------------------------------------------------------------------------

    def log(self, text: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        """Write into the editor's log."""
        self.window_log_message(types.LogMessageParams(kind, text))

    def log_later(self, text: str) -> None:
        """The same, from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.log, text)

    def report_server_error(self, error: Exception, source: type[PyglsError] | type[JsonRpcException]) -> None:
        """What went wrong goes into the log: a window that pops up does not help. Who asked is answered anyway."""
        if source is not FeatureRequestError:
            self.log(f"{source.__name__}: {error}", types.MessageType.Error)

    def _found(self, path: str, checked: Checked) -> None:
        if self.can.pulls:
            if path in self.given and self.given[path] != checked.digest:
                self.refresh_soon()
        else:
            self.publish(path, checked)

    def publish(self, path: str, checked: Checked) -> None:
        """Show findings of a document that is open, at the version that they were found in."""
        subject = self.documents.at(path)
        if subject is None or subject.stamp != checked.stamp:
            return
        for uri in subject.uris():
            diagnostics = self.converter.diagnostics(checked.found, self.documents.cell(uri))
            self._publish(uri, diagnostics, self.documents.version_at(uri))

    def unpublish(self, uri: str) -> None:
        """Show nothing any more in a document that was closed."""
        if not self.can.pulls:
            self._publish(uri, [], None)

    def _publish(self, uri: str, diagnostics: list[types.Diagnostic], version: int | None) -> None:
        # A change in one file is a check of all its project, in which most findings stay as they are.
        if self._published.get(uri) == (version, diagnostics):
            return
        if version is None:
            self._published.pop(uri, None)
        else:
            self._published[uri] = (version, diagnostics)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))

    def refresh_soon(self) -> None:
        """Let a client that pulls ask again."""
        if self.can.refreshes and self._loop is not None and self._refresh is None:
            self._refresh = self._loop.call_later(_REFRESH_DELAY, self._send_refresh)

    def _send_refresh(self) -> None:
        self._refresh = None
        for subject in self.documents:
            known = self.schedule.known(subject.path)
            if known is not None and self.given.get(subject.path, known.digest) != known.digest:
                self.workspace_diagnostic_refresh(None)
                return

    # --- what happens to documents ------------------------------------------------------------------------------------

    def changed(self, uri: str, *, is_new: bool = False) -> None:
        """A document, or a cell of it, has another text."""
        subject = self.documents.of(uri)
        if subject is not None:
            self.schedule.changed(subject.path, subject.stamp, is_new=is_new)

    def closed(self, path: str) -> None:
        """No text has this path any more; else the one that is left counts."""
        self.given.pop(path, None)
        left = self.documents.at(path)
        self.schedule.closed(path)
        if left is not None:
            self.schedule.changed(path, left.stamp, is_new=True)

    def disk_changed(self) -> None:
        """Files or configurations have changed."""
        self.documents.disk += 1
        self.schedule.everything()
