"""A project with a fault that only two files together show, and servers to talk to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from raw_client import PULLING, PUSHING, Message, RawClient, ServerGone
from server_programs import COMMAND, SAVING, TRAINING, Start


class TellingClient(RawClient):
    """A client that has settings and tells them when it is asked."""

    settings: Any = None

    def _reply(self, request: Message) -> None:
        if request["method"] == "workspace/configuration":
            answers = [
                self.settings(item.get("scopeUri")) if callable(self.settings) else self.settings
                for item in request["params"]["items"]
            ]
            self.send({"id": request["id"], "result": answers})
        else:
            super()._reply(request)


class VisitingClient(RawClient):
    """A client for one test after the other: each has a folder of its own in it, and closes what it has opened."""

    folder: Path

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.opened: dict[str, set[str]] = {}
        """The URIs of open documents; for a notebook, with those of all cells that it has had."""
        super().__init__(*arguments, **options)

    def notify(self, method: str, params: Any) -> float:
        match method:
            case "textDocument/didOpen":
                self.opened[params["textDocument"]["uri"]] = set()
            case "notebookDocument/didOpen" | "notebookDocument/didChange":
                structure = params.get("change", {}).get("cells", {}).get("structure", {})
                cells = params.get("cellTextDocuments") or structure.get("didOpen", ())
                self.opened.setdefault(params["notebookDocument"]["uri"], set()).update(each["uri"] for each in cells)
            case "textDocument/didClose":
                self.opened.pop(params["textDocument"]["uri"], None)
            case "notebookDocument/didClose":
                self.opened.pop(params["notebookDocument"]["uri"], None)
            case _:
                pass
        return super().notify(method, params)

    def enter(self, folder: Path) -> None:
        """Show this folder and no other, and forget what the server has said so far."""
        added, removed = ([{"uri": each.as_uri(), "name": each.name}] for each in (folder, self.folder))
        self.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": removed}})
        self.folder = folder
        self._catch_up()
        for said in (self.arrivals, self.answers, self.published):
            said.clear()

    def leave(self) -> None:
        """Close all documents.

        Raises:
            OSError, ServerGone, TimeoutError: the server does not answer any more.
        """
        for uri, cells in [*self.opened.items()]:
            if uri.endswith(".ipynb"):
                closed = [{"uri": cell} for cell in sorted(cells)]
                self.notify(
                    "notebookDocument/didClose", {"notebookDocument": {"uri": uri}, "cellTextDocuments": closed}
                )
            else:
                self.close(uri)
        self._catch_up()

    def _catch_up(self) -> None:
        """Wait until the server has read all that it was told."""
        self.ask("textDocument/hover", {"textDocument": {"uri": ""}, "position": {"line": 0, "character": 0}})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The project, in a folder whose name has to be quoted in a URI."""
    folder = tmp_path / "größe 1"
    folder.mkdir()
    (folder / "ddl-lint.toml").write_text("")
    (folder / "saving.py").write_text(SAVING, encoding="utf-8")
    (folder / "train.py").write_text(TRAINING, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A place for caches that is not the user's."""
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def start(cache: str, project: Path, tmp_path: Path) -> Iterator[Start]:
    """Starts servers in the project; they are ended with the test."""
    clients: list[RawClient] = []

    def started(
        capabilities: Message = PUSHING,
        *,
        root: Path = project,
        beside: Sequence[Path] = (),
        options: Message | None = None,
        encoding: str = "utf-16",
        settings: Any = None,
        environment: dict[str, str] | None = None,
    ) -> RawClient:
        log = tmp_path / f"server{len(clients)}.log"
        client = TellingClient(COMMAND, environment={"DDL_LINT_CACHE_DIR": cache, **(environment or {})}, log=log)
        client.settings = settings
        clients.append(client)
        options = {"debounce": 0.02, "patience": 600, **(options or {})}
        client.initialize(root, capabilities, beside=beside, options=options, encoding=encoding)
        return client

    yield started
    for client in clients:
        if client.process.poll() is None:
            client.stop()
        else:
            client.kill()


@pytest.fixture(scope="session")
def running() -> Iterator[dict[str, VisitingClient]]:
    """Clients whose servers run, by what they have said of themselves."""
    clients: dict[str, VisitingClient] = {}
    yield clients
    for client in clients.values():
        client.stop()


@pytest.fixture
def join(running: dict[str, VisitingClient], cache: str, project: Path, tmp_path: Path) -> Iterator[Start]:
    """Joins servers that other tests have talked to before. For tests of what a server says, not of how it begins and
    ends, and that leave nothing behind but open documents.
    """
    joined: list[str] = []

    def visit(capabilities: Message = PUSHING, *, encoding: str = "utf-16") -> RawClient:
        kind = json.dumps([capabilities, encoding])
        if kind not in running:
            client = VisitingClient(COMMAND, environment={"DDL_LINT_CACHE_DIR": cache})
            running[kind] = client
            client.folder = tmp_path
            client.initialize(tmp_path, capabilities, options={"debounce": 0.02}, encoding=encoding)
        running[kind].enter(project)
        joined.append(kind)
        return running[kind]

    yield visit
    for kind in joined:
        try:
            running[kind].leave()
        except (OSError, ServerGone, TimeoutError):  # the test has told why; the next one gets another server
            running.pop(kind).kill()


@pytest.fixture(params=[PUSHING, PULLING], ids=["push", "pull"])
def capabilities(request: pytest.FixtureRequest) -> Message:
    """Of a client to which findings are sent, and of one that asks for them."""
    return request.param
