"""A language client that speaks bare JSON-RPC over the server's stdin and stdout.

Without a library in between, each byte that the server writes is seen as it is, out-of-order and nonsensical messages
can be sent, and nothing but the server takes time. Every message is stamped with the moment of its arrival.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

Message = dict[str, Any]
PATIENCE = 600.0  # seconds after which a server is taken to hang; nothing is judged by how long it takes

PUSHING: Message = {"textDocument": {"publishDiagnostics": {"relatedInformation": True, "versionSupport": True}}}
"""The capabilities of a client to which findings are sent."""

PULLING: Message = {
    "textDocument": {"diagnostic": {"dynamicRegistration": False, "relatedDocumentSupport": False}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}
"""The capabilities of a client that asks for findings."""


class Arrival(NamedTuple):
    """A message from the server, and when its last byte was there (`time.perf_counter`)."""

    moment: float
    message: Message


class ServerGone(Exception):
    """The server's output ended, or was no JSON-RPC, while something was expected of it."""


class RawClient:
    """One server process and what it has said. Requests of the server are answered as most editors answer them."""

    def __init__(
        self, command: Sequence[str], *, environment: Mapping[str, str] | None = None, log: Path | None = None
    ) -> None:
        self.arrivals: list[Arrival] = []
        """All messages of the server, in order."""

        self.answers: dict[int | str, list[Arrival]] = {}
        """The answers by the id of the request; a list, for an answer that comes twice is a fault."""

        self.published: dict[str, Arrival] = {}
        """The newest findings by uri."""

        self.refreshes = 0
        """How often the server asked to be asked again."""

        self.fault = ""
        """Why the output cannot be read any more, empty while it can."""

        self._news = threading.Condition()
        self._sending = threading.Lock()
        self._ids = itertools.count(1)
        self._errors = log.open("wb") if log else None
        self.process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors or subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    # --- talking ---------------------------------------------------------------------------------------------------

    def send(self, *messages: Message) -> float:
        """Send any messages, right or wrong, in one go, and return the moment before the first byte."""
        return self.send_bytes(*(json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages))

    def send_bytes(self, *bodies: bytes) -> float:
        """Send messages that may not even be JSON, all in one go."""
        assert self.process.stdin is not None
        with self._sending:
            moment = time.perf_counter()
            self.process.stdin.write(b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies))
            self.process.stdin.flush()
        return moment

    def notify(self, method: str, params: object) -> float:
        """Send a notification; returns the moment."""
        return self.send({"method": method, "params": params})

    def number(self) -> int:
        """An id for a request."""
        return next(self._ids)

    def request(self, method: str, params: object) -> int:
        """Send a request without waiting; returns its id."""
        number = self.number()
        self.send({"id": number, "method": method, "params": params})
        return number

    def ask(self, method: str, params: object, patience: float = PATIENCE) -> Message:
        """Send a request and wait for its answer, a result or an error."""
        return self.answer(self.request(method, params), patience).message

    def answer(self, number: int | str, patience: float = PATIENCE) -> Arrival:
        """Wait for the answer to a request."""
        self.wait(lambda: number in self.answers, f"an answer to request {number}", patience)
        return self.answers[number][0]

    def wait(self, ready: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
        """Wait until something holds; `ready` is asked after each message."""
        with self._news:
            self._news.wait_for(lambda: ready() or bool(self.fault), patience)
            if ready():
                return
        if self.fault:
            raise ServerGone(f"{self.fault} while waiting for {what}")
        raise TimeoutError(f"no {what} after {patience:.0f} s")

    # --- a session -------------------------------------------------------------------------------------------------

    def initialize(
        self,
        root: Path,
        capabilities: Message = PUSHING,
        *,
        beside: Sequence[Path] = (),
        options: Message | None = None,
        encoding: str = "utf-16",
    ) -> Message:
        """Start the session in a folder, or in several, and return what the server says of itself."""
        answer = self.ask(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": root.as_uri(),
                "workspaceFolders": [{"uri": each.as_uri(), "name": each.name} for each in (root, *beside)],
                "capabilities": {**capabilities, "general": {"positionEncodings": [encoding]}},
                "initializationOptions": options,
            },
        )
        self.notify("initialized", {})
        return answer["result"]

    def open(self, uri: str, text: str, version: int = 1, *, language: str = "python") -> float:
        """Open a document."""
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        return self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: Message) -> float:
        """Change a document; a change without a range replaces the whole text."""
        document = {"uri": uri, "version": version}
        return self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def close(self, uri: str) -> float:
        """Close a document."""
        return self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def findings(self, uri: str, version: int | None = None, patience: float = PATIENCE) -> Arrival:
        """Wait for the findings that the server sends for a document, at a version where one is given."""

        def there() -> bool:
            newest = self.published.get(uri)
            return newest is not None and (version is None or newest.message["params"].get("version") == version)

        self.wait(there, f"findings for version {version} of {uri}", patience)
        return self.published[uri]

    def workers(self) -> list[int]:
        """The processes that the server has started to do its work. Only Linux tells which they are."""
        found: list[int] = []
        for children in Path(f"/proc/{self.process.pid}/task").glob("*/children"):
            for child in children.read_text().split():
                with contextlib.suppress(OSError):  # it may have ended meanwhile
                    if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                        found.append(int(child))
        return found

    def stop(self, patience: float = PATIENCE) -> int:
        """End the session in the proper way and return the exit code; kills a server that does not follow."""
        try:
            self.ask("shutdown", None, patience)
            self.notify("exit", None)
            return self.process.wait(patience)
        except (OSError, TimeoutError, ServerGone, subprocess.TimeoutExpired):
            return self.kill()
        finally:
            self._tidy()

    def kill(self) -> int:
        """End the server process at once."""
        self.process.kill()
        code = self.process.wait()
        self._tidy()
        return code

    def _tidy(self) -> None:
        self._reader.join(5)
        if self._errors:
            self._errors.close()

    # --- listening -------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        try:
            while True:
                self._take(self._message())
        except ServerGone as fault:
            with self._news:
                self.fault = str(fault)
                self._news.notify_all()

    def _message(self) -> Message:
        assert self.process.stdout is not None
        length = None
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                raise ServerGone("the server's output ended")
            name, colon, value = line.partition(b":")
            if not colon or name.lower() not in (b"content-length", b"content-type"):
                raise ServerGone(f"the server wrote something else than messages: {line[:80]!r}")
            if name.lower() == b"content-length":
                length = int(value)
        if length is None:
            raise ServerGone("a message without a length")
        try:
            return json.loads(self.process.stdout.read(length))
        except ValueError as error:
            raise ServerGone(f"a message that is no JSON: {error}") from error

    def _take(self, message: Message) -> None:
        arrival = Arrival(time.perf_counter(), message)
        if "method" in message and "id" in message:
            self._reply(message)
        with self._news:
            self.arrivals.append(arrival)
            if message.get("method") == "textDocument/publishDiagnostics":
                self.published[message["params"]["uri"]] = arrival
            elif message.get("method") == "workspace/diagnostic/refresh":
                self.refreshes += 1
            elif "method" not in message and isinstance(message.get("id"), (int, str)):  # else nobody waits for it
                self.answers.setdefault(message["id"], []).append(arrival)
            self._news.notify_all()

    def _reply(self, request: Message) -> None:
        result: object = None
        if request["method"] == "workspace/configuration":
            result = [None] * len(request["params"]["items"])
        elif request["method"] == "workspace/applyEdit":
            result = {"applied": False, "failureReason": "this client edits nothing"}
        try:
            self.send({"id": request["id"], "result": result})
        except OSError:  # the server ended meanwhile; the reader is about to see that
            return
