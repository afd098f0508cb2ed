"""A worker that ends again and again: the server gives up, says so, and serves what it can."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from asking import actions, codes, findings, logged
from raw_client import Message, RawClient
from server_programs import SAMPLING, Start, install_rule, with_installed

pytestmark = pytest.mark.slow

CHECK = """
import os

def check(project):
    if any("# deadly" in document.text for document in project.documents.values()):
        os._exit(9)
    return ()
"""


@pytest.fixture
def deadly_rule(tmp_path: Path) -> str:
    """An installed package with a rule that a comment makes end the process; returns where it is installed."""
    return install_rule(tmp_path / "installed", CHECK)


def debug(client: RawClient) -> Message:
    params = {"command": "ddl-lint.server.debugInformation", "arguments": []}
    return client.ask("workspace/executeCommand", params)["result"]


@contextlib.contextmanager
def killing(client: RawClient) -> Iterator[None]:
    """Kill each worker as soon as it is there."""
    done = threading.Event()

    def kill() -> None:
        while not done.wait(0.01):
            for worker in client.workers():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield
    finally:
        done.set()
        killer.join()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux tells which processes were started")
def test_a_worker_that_never_starts_is_not_started_for_ever(start: Start, project: Path):
    client = start()
    uri = (project / "sampling.py").as_uri()
    client.open(uri, SAMPLING)
    findings(client, uri, lambda found: bool(found) and found[0]["code"] == "DDL402", pulls=False)
    with killing(client):
        for version in range(2, 12):
            client.change(uri, version, {"text": "\n" * version + SAMPLING})
            (found,) = client.findings(uri, version).message["params"]["diagnostics"]
            assert "could not check this file: the checking process" in found["message"]
            assert found["severity"] == 3
    assert debug(client)["generation"] <= 8
    # Even when it could be started now: nobody knows.
    client.change(uri, 20, {"text": SAMPLING})
    (found,) = client.findings(uri, 20).message["params"]["diagnostics"]
    assert "does not start; it is not tried again before the server is restarted" in found["message"]
    assert any("does not start" in line for line in logged(client))
    # All that is asked is answered, and what needs no process is done.
    assert actions(client, uri) == []
    at: Message = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    assert "could not check" in client.ask("textDocument/hover", at)["result"]["contents"]["value"]
    for name, *arguments in (("trace", uri, "html"), ("explainRule", "DDL402")):
        params = {"command": f"ddl-lint.server.{name}", "arguments": arguments}
        assert "does not start" in client.ask("workspace/executeCommand", params)["error"]["message"]
    client.close(uri)
    client.wait(lambda: client.published[uri].message["params"]["diagnostics"] == [], "no findings")
    assert client.stop() == 0


def test_a_file_that_ends_the_worker_does_not_take_the_others_along(start: Start, project: Path, deadly_rule: str):
    client = start(environment=with_installed(deadly_rule))
    deadly, other = (project / "deadly.py").as_uri(), (project / "sampling.py").as_uri()
    client.open(deadly, "# deadly\n" + SAMPLING)
    for version in range(2, 12):
        client.change(deadly, version, {"text": "# deadly\n" * version + SAMPLING})
        client.findings(deadly, version)
    (found,) = client.published[deadly].message["params"]["diagnostics"]
    assert "the checking process has ended over it 3 times; open it again to retry" in found["message"]
    generation = debug(client)["generation"]

    client.open(other, SAMPLING)
    findings(client, other, lambda found: codes(found) == ["DDL402"], pulls=False)
    client.change(deadly, 12, {"text": "# deadly\n" + SAMPLING})
    client.change(other, 2, {"text": "\n" + SAMPLING})
    client.findings(other, 2)
    assert actions(client, other)[0]["isPreferred"]
    assert debug(client)["generation"] <= generation + 4
    assert any("is not checked as a whole" in line for line in logged(client))

    client.close(deadly)
    client.open(deadly, SAMPLING, version=13)
    findings(client, deadly, lambda found: codes(found) == ["DDL402"], pulls=False)
