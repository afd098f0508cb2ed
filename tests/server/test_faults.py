"""What goes wrong in a session, and what becomes of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hostile
from asking import findings, logged
from raw_client import PATIENCE, PULLING, Message, RawClient
from server_programs import COMMAND, SAMPLING, SAVING, Start

pytestmark = pytest.mark.slow


def worker_of(client: RawClient) -> int:
    params = {"command": "ddl-lint.server.debugInformation", "arguments": []}
    return client.ask("workspace/executeCommand", params)["result"]["worker"]


def wait_until_gone(pid: int) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{pid}/stat").exists() and Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
            return
        time.sleep(0.02)
    raise AssertionError(f"process {pid} is still there")


def test_a_worker_killed_between_two_checks(start: Start, project: Path, capabilities: Message):
    pulls = "diagnostic" in capabilities["textDocument"]
    client = start(capabilities)
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, bool, pulls=pulls)
    os.kill(worker_of(client), signal.SIGKILL)
    client.change(uri, 2, {"text": "\n" + SAVING})
    (found,) = findings(client, uri, lambda found: bool(found) and found[0]["range"]["start"]["line"] == 7, pulls=pulls)
    assert found["code"] == "DDL305"


@pytest.mark.parametrize("pause", [0.0, 0.02, 0.06])
def test_a_worker_killed_in_mid_run(start: Start, project: Path, pause: float):
    client = start()
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, bool, pulls=False)
    pid = worker_of(client)
    client.change(uri, 2, {"text": "\n" + SAVING})
    time.sleep(0.02 + pause)
    os.kill(pid, signal.SIGKILL)
    assert len(client.findings(uri, 2).message["params"]["diagnostics"]) == 1


def test_a_check_that_takes_too_long_is_given_up_and_said(start: Start, project: Path):
    client = start(options={"timeLimit": 0.1})
    uri = (project / "huge.py").as_uri()
    client.open(
        uri, "import torch.distributed as dist\n" + "".join(f"def f{n}():\n    dist.barrier()\n\n" for n in range(9000))
    )
    (found,) = findings(client, uri, bool, pulls=False)
    assert "could not check this file: it took more than 0.1 seconds" in found["message"]
    assert found["severity"] == 3
    assert client.process.poll() is None


def test_a_file_deleted_under_the_server(join: Start, project: Path):
    client = join()
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, bool, pulls=False)
    (project / "saving.py").unlink()
    client.change(uri, 2, {"text": "\n" + SAVING})
    assert len(client.findings(uri, 2).message["params"]["diagnostics"]) == 1
    (project / "train.py").unlink()
    (project / "ddl-lint.toml").unlink()
    client.change(uri, 3, {"text": SAVING})
    client.findings(uri, 3)
    project.rmdir()
    client.change(uri, 4, {"text": SAVING})
    client.findings(uri, 4)
    client.close(uri)


def test_unknown_methods(start: Start):
    client = start()
    assert client.ask("textDocument/nonsense", {})["error"]["code"] == -32601
    client.notify("textDocument/nonsense", {})
    client.notify("$/nonsense", {})
    assert client.ask("shutdown", None)["result"] is None


def test_messages_out_of_order(join: Start, project: Path):
    client = join()
    uri = (project / "saving.py").as_uri()
    client.change(uri, 2, {"text": SAVING})
    client.close(uri)
    client.open(uri, SAVING, version=9)
    client.open(uri, "\n" + SAVING, version=3)
    client.change(uri, 1, {"text": "\n\n" + SAVING})
    (found,) = findings(client, uri, lambda found: bool(found) and found[0]["range"]["start"]["line"] == 8, pulls=False)
    assert found["code"] == "DDL305"
    assert any("was changed, but is not open" in line for line in logged(client))


def test_cancelled_requests_are_answered_as_such(start: Start, project: Path):
    client = start(PULLING, options={"debounce": 30})
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, bool, pulls=True)
    client.change(uri, 2, {"text": "\n" + SAVING})
    number = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    client.notify("$/cancelRequest", {"id": number})
    assert client.answer(number).message["error"]["code"] == -32800
    client.notify("$/cancelRequest", {"id": 12345})


def test_a_request_for_a_document_that_is_closed_meanwhile(start: Start, project: Path):
    client = start(PULLING, options={"debounce": 30})
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, bool, pulls=True)
    client.change(uri, 2, {"text": "\n" + SAVING})
    number = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    client.close(uri)
    assert client.answer(number).message["result"]["items"] == []


def test_requests_that_wait_at_the_end_are_answered(start: Start, project: Path):
    client = start(PULLING, options={"debounce": 30})
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, bool, pulls=True)
    client.change(uri, 2, {"text": "\n" + SAVING})
    number = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert client.ask("shutdown", None)["result"] is None
    assert client.answer(number)


@pytest.mark.parametrize(
    "message",
    [
        b'{"jsonrpc": "2.0", "id": "odd", "method": "textDocument/hover", "params": {"textDocument": 5}}',
        b'{"jsonrpc": "2.0", "id": "odd", "method": "textDocument/hover"}',
        b'{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": []}',
        b'{"nonsense": true}',
        b"[1, 2]",
        b"no json",
    ],
)
def test_messages_that_make_no_sense(join: Start, project: Path, message: bytes):
    client = join()
    client.send_bytes(message)
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, bool, pulls=False)
    if b'"id"' in message:
        assert "error" in client.answer("odd").message


def test_letters_that_are_no_letters(join: Start, project: Path):
    client = join()
    uri = (project / "odd.py").as_uri()
    client.open(uri, 'x = "\ud83d"\n' + SAMPLING)
    found = client.findings(uri).message["params"]["diagnostics"]
    client.change(uri, 2, {"text": SAMPLING})
    findings(client, uri, bool, pulls=False)
    assert isinstance(found, list)


def test_nothing_in_the_workspace_is_run(start: Start, project: Path):
    left_out = hostile.loaded_at_start("-m", "first_line", folder=project.parent)
    hostile.write_traps(project, {*left_out, "ddl_lint"})
    (project / "torch.py").write_text("raise SystemExit(open('torch.ran', 'w').write('!'))\n")
    (project / "random").mkdir()
    before = Path.cwd()
    os.chdir(project)
    try:
        client = start()
    finally:
        os.chdir(before)
    uri = (project / "sampling.py").as_uri()
    client.open(uri, SAMPLING)
    findings(client, uri, bool, pulls=False)
    assert hostile.sprung(project) == []


def test_a_server_whose_client_is_gone_ends_and_takes_its_worker_along(start: Start, project: Path):
    client = start()
    uri = (project / "saving.py").as_uri()
    client.open(uri, SAVING)
    findings(client, uri, bool, pulls=False)
    worker = worker_of(client)
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.process.wait(PATIENCE) == 1
    wait_until_gone(worker)


def test_a_server_that_is_killed_leaves_no_worker(start: Start, project: Path):
    client = start()
    worker = worker_of(client)
    client.kill()
    wait_until_gone(worker)


def test_exit_codes(start: Start):
    first = start()
    assert first.stop() == 0
    second = start()
    second.notify("exit", None)
    assert second.process.wait(PATIENCE) == 1


def test_no_other_options_than_those_of_editors():
    run = subprocess.run([*COMMAND, "--stdio", "--tcp"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert run.returncode == 2 and "--tcp" in run.stderr
    run = subprocess.run(
        [sys.executable, "-m", "ddl_lint", "server", "--stdio"], capture_output=True, stdin=subprocess.DEVNULL
    )
    assert run.returncode == 1 and run.stdout == b""


def test_requests_at_the_wrong_time(cache: str):
    client = RawClient(COMMAND, environment={"DDL_LINT_CACHE_DIR": cache})
    hover: Message = {"textDocument": {"uri": "file:///a.py"}, "position": {"line": 0, "character": 0}}
    assert client.ask("textDocument/hover", hover)["error"]["code"] == -32002
    client.notify("textDocument/didOpen", {})
    client.initialize(Path("/"))
    assert client.ask("textDocument/hover", hover)["result"] is None
    assert client.ask("shutdown", None)["result"] is None
    assert client.ask("textDocument/hover", hover)["error"]["code"] == -32600
    client.notify("exit", None)
    assert client.process.wait(PATIENCE) == 0
    client.kill()
