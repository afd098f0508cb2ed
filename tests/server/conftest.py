"""A project with a fault that only two files together show, and servers to talk to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from raw_client import PULLING, PUSHING, Message, RawClient
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
        options = {"debounce": 0.02, **(options or {})}
        client.initialize(root, capabilities, beside=beside, options=options, encoding=encoding)
        return client

    yield started
    for client in clients:
        if client.process.poll() is None:
            client.stop()
        else:
            client.kill()


@pytest.fixture(params=[PUSHING, PULLING], ids=["push", "pull"])
def capabilities(request: pytest.FixtureRequest) -> Message:
    """Of a client to which findings are sent, and of one that asks for them."""
    return request.param
