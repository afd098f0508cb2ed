"""Random sequences of messages, right and wrong ones, with the worker killed and files deleted in between.

Whatever happens, each request has exactly one answer, each finding that the server tells is right for the version that
it names, no server ends, and once it is quiet the findings are those of the present texts.

`DDL_LINT_SEQUENCES` says how many sequences to run, `DDL_LINT_EDITS` how many edits are made in one go; `make
test-editors` runs 500 and makes 1800. A sequence depends on its number only.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from faulty_project import TRAIN, Project
from raw_client import PATIENCE, PULLING, PUSHING, Message, RawClient

SEQUENCES = int(os.environ.get("DDL_LINT_SEQUENCES", "20"))
PER_SERVER = 10
STEPS = 14
EDITS = int(os.environ.get("DDL_LINT_EDITS", "90"))

FAULT = "model.state_dict()"
MENDED = "model.module.state_dict()"
PLAIN = TRAIN.replace(
    "DistributedDataParallel(nn.Linear(8, 8).cuda(local_rank), device_ids=[local_rank])", "nn.Linear(8, 8)"
)
CHECKPOINT = f'''"""Weights to disk."""

import torch


def save(model, epoch, path):
    torch.save({{"läuft 🚀": epoch, "model": {FAULT}}}, path)
'''
BROKEN = "def broken(:\n"
METHOD_NOT_FOUND, INVALID_PARAMS, INVALID_REQUEST = -32601, -32602, -32600


class Conversation:
    """A client that knows what it has said, so that it can judge each thing that it hears."""

    def __init__(self, project: Project, client: RawClient, pulls: bool) -> None:
        self.project = project
        self.client = client
        self.pulls = pulls
        self.names = {project.target: project.target.as_uri(), project.other: project.other.as_uri()}
        self.open: dict[Path, tuple[int, str]] = {}
        self.said: dict[tuple[str, int], str] = {}
        """The text of each version of each document that was ever sent."""
        self.asked: dict[int, str] = {}
        self._version = 0
        self._judged = 0
        self._newest: dict[str, int] = {}
        self._killed = False

    # --- what a client does, in its right mind and out of it ---------------------------------------------------------

    def begin(self, sequence: int) -> None:
        """Bring files and documents into the first state again."""
        self.random = random.Random(sequence)
        for path in list(self.open):
            self.close(path)
        self.write(self.project.target, CHECKPOINT)
        self.write(self.project.other, TRAIN)

    def act(self) -> None:
        """Do one random thing."""
        path = self.random.choice(list(self.names))
        action: Callable[[Path], None] = self.random.choice(
            [
                self.open_or_replace, self.open_or_replace, self.type, self.type, self.type, self.type_on,
                self.close, self.save, self.look, self.look, self.ask_and_cancel, self.nonsense, self.wrong_version,
                self.change_closed, self.look_at_closed, self.delete, self.restore, self.kill_worker, self.wait,
            ]
        )  # fmt: skip
        action(path)

    def next_version(self, path: Path, text: str) -> int:
        """The versions of this client never come back, so that each stands for one text."""
        self._version += 1
        self.said[self.names[path], self._version] = text
        return self._version

    def open_or_replace(self, path: Path) -> None:
        """Open a document, or replace the text of one that is open."""
        text = self.variant(path)
        version = self.next_version(path, text)
        is_open = path in self.open
        self.open[path] = (version, text)
        if is_open:
            self.client.change(self.names[path], version, {"text": text})
        else:
            self.client.open(self.names[path], text, version)

    def variant(self, path: Path) -> str:
        """Some text for a file: faulty or not, broken or not, with the fault on any line and any column."""
        if path == self.project.target:
            text = CHECKPOINT.replace(FAULT, MENDED) if self.random.random() < 0.3 else CHECKPOINT
            if self.random.random() < 0.3:
                text = text.replace("läuft 🚀", self.random.choice(["", "a", "🚀🚀", "\N{COMBINING ACUTE ACCENT}e"]))
        else:
            text = PLAIN if self.random.random() < 0.3 else TRAIN
        if self.random.random() < 0.15:
            text = text.replace("import torch\n", f"import torch\n\n\n{BROKEN}\n", 1)
        return "# läuft 🚀\n" * self.random.randrange(4) + text

    def type(self, path: Path) -> None:
        """One key, in a place where it changes nothing but positions."""
        if path not in self.open:
            return
        _, text = self.open[path]
        key = self.random.choice(["#", "# ü\n", "# 🚀 \n", "\n"])
        text = key + text
        version = self.next_version(path, text)
        self.open[path] = (version, text)
        start = {"line": 0, "character": 0}
        self.client.change(self.names[path], version, {"range": {"start": start, "end": start}, "text": key})

    def type_on(self, path: Path) -> None:
        """Many keys without a pause."""
        for _ in range(15):
            self.type(path)

    def close(self, path: Path) -> None:
        """Close a document, also one that was never open."""
        self.open.pop(path, None)
        self.client.close(self.names[path])

    def save(self, path: Path) -> None:
        """Save a document that is open."""
        if path in self.open:
            self.write(path, self.open[path][1])
            self.client.notify("textDocument/didSave", {"textDocument": {"uri": self.names[path]}})

    def look(self, path: Path) -> None:
        """Ask for something at a random place, which may lie outside of the text."""
        place = {"line": self.random.randrange(12), "character": self.random.randrange(90)}
        document = {"uri": self.names[path]}
        context = {
            "diagnostics": [],
            "only": self.random.choice([["quickfix"], ["source.fixAll"], ["source.nonsense"], []]),
        }
        method, params = self.random.choice(
            [
                ("textDocument/hover", {"textDocument": document, "position": place}),
                (
                    "textDocument/codeAction",
                    {"textDocument": document, "range": {"start": place, "end": place}, "context": context},
                ),
                ("textDocument/diagnostic", {"textDocument": document}),
            ]
        )
        self.request(method, params)

    def look_at_closed(self, path: Path) -> None:
        """Ask about a document that was never open, or is none."""
        document = {
            "uri": self.random.choice([(path.parent / "never.py").as_uri(), "untitled:Untitled-1", "nonsense", ""])
        }
        self.request("textDocument/hover", {"textDocument": document, "position": {"line": 0, "character": 0}})

    def ask_and_cancel(self, path: Path) -> None:
        """Ask, and take the question back; sometimes one that was never asked."""
        self.look(path)
        number = self.random.choice([max(self.asked), max(self.asked), 10_000_000, 1])
        self.client.notify("$/cancelRequest", {"id": number})

    def nonsense(self, path: Path) -> None:
        """What no client should send."""
        kind = self.random.randrange(4)
        if kind == 0:
            self.request("textDocument/doesNotExist", {"textDocument": {"uri": self.names[path]}})
        elif kind == 1:
            self.client.notify("ddl-lint/doesNotExist", {"anything": [1, None]})
        elif kind == 2:
            self.client.send({"id": 20_000_000, "result": None})  # an answer to no question
        else:
            self.request("workspace/executeCommand", {"command": "no.such.command", "arguments": [path.as_uri()]})

    def wrong_version(self, path: Path) -> None:
        """The same text once more, under a version that does not follow."""
        if path in self.open:
            version, text = self.open[path]
            self.said[self.names[path], -version] = text
            self.client.change(self.names[path], -version, {"text": text})

    def change_closed(self, path: Path) -> None:
        """Change a document that is not open."""
        if path not in self.open:
            self.client.change(self.names[path], 1, {"text": "nonsense ("})

    def delete(self, path: Path) -> None:
        """Delete a file under the server."""
        path.unlink(missing_ok=True)
        self.watched(path, 3)

    def restore(self, path: Path) -> None:
        """Another program writes the file."""
        self.write(path, CHECKPOINT if path == self.project.target else TRAIN)

    def kill_worker(self, path: Path) -> None:
        """What a machine without memory does. Once in a sequence: what kills it twice is not tried a third time."""
        if not self._killed and self.random.random() < 0.5:
            self._killed = True
            for worker in self.client.workers():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)

    def wait(self, path: Path) -> None:
        """A moment in which the server can finish something."""
        time.sleep(self.random.choice([0.01, 0.1, 0.3]))

    def write(self, path: Path, text: str) -> None:
        """Write a file, and tell the server as an editor that watches files does."""
        path.write_text(text, encoding="utf-8", newline="")
        self.watched(path, 2)

    def watched(self, path: Path, kind: int) -> None:
        """Say that a file was created (1), changed (2) or deleted (3)."""
        changes = [{"uri": self.names[path], "type": kind}]
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def request(self, method: str, params: Message) -> None:
        """Ask, and note that an answer is due."""
        self.asked[self.client.request(method, params)] = method

    # --- what must hold ----------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Wait until the server is quiet, and judge."""
        # Before an end can be told from a pause, the files are brought into a state that says what must be found.
        for path in self.names:
            if path not in self.open and not path.exists():
                self.restore(path)
            elif path in self.open and (BROKEN in self.open[path][1] or not path.exists()):
                self.restore(path)
                self.open_or_replace_whole(path)
        for number, method in self.asked.items():
            self.client.answer(number)
            answers = self.client.answers[number]
            assert len(answers) == 1, (method, answers)
            if method == "textDocument/doesNotExist":
                assert answers[0].message["error"]["code"] == METHOD_NOT_FOUND
        self.asked.clear()
        if self._killed:  # the next one must not come before this one is overcome
            self.open_or_replace_whole(self.project.target)
        for path in self.open:
            self.expect(path)
        self._killed = False
        if not self.pulls:
            self.client.ask(
                "textDocument/hover", position_in(self.names[self.project.target])
            )  # all before it has arrived
            for path, uri in self.names.items():
                if path not in self.open and uri in self.client.published:
                    assert self.client.published[uri].message["params"]["diagnostics"] == [], (
                        "told of a closed document"
                    )
        self.judge()

    def open_or_replace_whole(self, path: Path) -> None:
        """Bring an open document into a state without syntax errors."""
        while True:
            self.open_or_replace(path)
            if BROKEN not in self.open[path][1]:
                return

    def expect(self, path: Path) -> None:
        """Wait for the right findings of an open document."""
        uri, (_, text) = self.names[path], self.open[path]
        right = self.right(path)
        if self.pulls:
            end = time.monotonic() + PATIENCE
            while (found := self.pull(uri)) != right:
                assert time.monotonic() < end, (found, right, text)
                time.sleep(0.05)
            return

        def there() -> bool:
            newest = self.client.published.get(uri)
            if newest is None or self.said.get((uri, newest.message["params"].get("version", 0))) != text:
                return False
            return spans(newest.message["params"]["diagnostics"]) == right

        try:
            self.client.wait(there, "the right findings")
        except TimeoutError as error:
            heard = self.client.published.get(uri)
            raise AssertionError(
                f"not {right} in {path.name}, but {heard and heard.message}; text: {text!r}"
            ) from error

    def right(self, path: Path) -> list[tuple[str, int, int, int]]:
        """What must be found in a document: code, line, first and last column."""
        train = self.open[self.project.other][1] if self.project.other in self.open else self.project.other.read_text()
        if path != self.project.target or "= DistributedDataParallel(" not in train:
            return []
        return faults(self.open[path][1])

    def pull(self, uri: str) -> list[tuple[str, int, int, int]]:
        answer = self.client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        return spans(answer["result"]["items"])

    def judge(self) -> None:
        """Each thing that was told since the last time must be right for the version that it names."""
        arrivals = self.client.arrivals[self._judged :]
        self._judged += len(arrivals)
        for _, message in arrivals:
            if message.get("method") != "textDocument/publishDiagnostics":
                continue
            assert not self.pulls, "findings are sent to a client that asks for them"
            uri, version, found = (message["params"].get(key) for key in ("uri", "version", "diagnostics"))
            if not found and version is None:
                continue  # the document was closed
            assert (uri, version) in self.said, message
            text = self.said[uri, version]
            if version > 0:
                assert version >= self._newest.get(uri, 0), "findings of an older version than those before"
                self._newest[uri] = version
            for code, *place in spans(found):
                if not code:  # "could not check this file", after a kill: true, but it must not be the last word
                    continue
                assert code in ("DDL305", "DDL001"), message
                if code == "DDL305":
                    assert ("DDL305", *place) in faults(text), (message, text)
                else:
                    assert BROKEN in text, (message, text)


def faults(text: str) -> list[tuple[str, int, int, int]]:
    """Where the fault stands in a text of the checkpoint module, in UTF-16 units."""
    for number, line in enumerate(text.split("\n")):
        before, found, _ = line.partition(FAULT)
        if found:
            start = len(before.encode("utf-16-le")) // 2
            return [("DDL305", number, start, start + len(FAULT))]
    return []


def spans(diagnostics: list[Any]) -> list[tuple[str, int, int, int]]:
    """Code, line, first and last column of each."""
    ranges = [(each.get("code", ""), each["range"]["start"], each["range"]["end"]) for each in diagnostics]
    return sorted((code, start["line"], start["character"], end["character"]) for code, start, end in ranges)


def position_in(uri: str) -> Message:
    """The parameters of a cheap question about a document."""
    return {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}


@pytest.fixture(params=[False, True], ids=["sent", "asked"])
def conversation(request: pytest.FixtureRequest, project: Project, tmp_path: Path) -> Iterator[Conversation]:
    """A server, told of its findings or asked for them."""
    log = tmp_path / "server.log"
    client = RawClient([sys.executable, "-I", "-m", "ddl_lint", "server"], log=log)
    try:
        client.initialize(project.folder, PULLING if request.param else PUSHING, options={"debounce": 0.02})
        yield Conversation(project, client, request.param)
        code = client.stop()
    finally:
        client.kill()
    assert code == 0, log.read_text()
    # The library notes what it could not read, with the way that it took; what fails in our code is a fault.
    frames = [line.strip() for line in log.read_text().splitlines() if line.lstrip().startswith("File ")]
    assert not [frame for frame in frames if "ddl_lint_server" in frame and "structure_message" not in frame]


@pytest.mark.parametrize("first", range(0, max(SEQUENCES // 2, 1), PER_SERVER))
def test_no_sequence_of_messages_makes_it_lie_or_die(first: int, conversation: Conversation) -> None:
    for sequence in range(first, min(first + PER_SERVER, max(SEQUENCES // 2, 1))):
        number = 2 * sequence + conversation.pulls
        conversation.begin(number)
        for _ in range(STEPS):
            conversation.act()
        try:
            conversation.settle()
        except (AssertionError, TimeoutError) as error:
            raise AssertionError(f"sequence {number}: {error}") from error


def test_a_request_that_makes_no_sense_is_answered(conversation: Conversation) -> None:
    for params in ({"position": "nowhere"}, [], None, {"textDocument": None, "position": None}):
        answer = conversation.client.ask("textDocument/hover", params)
        assert answer["error"]["code"] in (INVALID_PARAMS, INVALID_REQUEST), answer
    conversation.begin(0)
    conversation.open_or_replace_whole(conversation.project.target)
    conversation.settle()


def test_edits_faster_than_they_are_checked(conversation: Conversation) -> None:
    """Each edit comes as soon as the one before it is sent, and a question now and then has to wait for its turn."""
    target, other = conversation.project.target, conversation.project.other
    conversation.begin(0)
    for path in (target, other):
        conversation.open_or_replace_whole(path)
    for turn in range(EDITS):
        conversation.type(target)
        if turn % 10 == 0:
            conversation.look(target)
        if turn % 30 == 0:
            conversation.open_or_replace_whole(conversation.random.choice((target, other)))
    conversation.settle()
