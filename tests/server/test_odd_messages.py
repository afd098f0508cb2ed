"""Messages in which something is missing or is another thing: each request has its answer, and the server goes on."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from asking import findings
from mutated_text import with_odd_value
from raw_client import PULLING, Message
from server_programs import SAMPLING, SAVING, Start

pytestmark = pytest.mark.slow

AT: Message = {"line": 12, "character": 4}
REQUESTS = (
    *("textDocument/hover", "textDocument/codeAction", "textDocument/diagnostic", "textDocument/codeLens"),
    *("workspace/diagnostic", "workspace/executeCommand"),
)
EVERYWHERE: Message = {"start": {"line": 0, "character": 0}, "end": AT}


def messages(folder: Path) -> list[tuple[str, Any]]:
    """One of each kind that an editor sends, but the end of the session."""
    uri, other = ((folder / name).as_uri() for name in ("sampling.py", "other.py"))
    document = {"uri": uri}
    return [
        (
            "textDocument/didOpen",
            {"textDocument": {"uri": other, "languageId": "python", "version": 1, "text": SAVING}},
        ),
        (
            "textDocument/didChange",
            {"textDocument": {"uri": other, "version": 2}, "contentChanges": [{"text": SAVING}]},
        ),
        (
            "textDocument/didChange",
            {"textDocument": {"uri": other, "version": 3}, "contentChanges": [{"range": EVERYWHERE, "text": "x"}]},
        ),
        ("textDocument/didSave", {"textDocument": {"uri": other}}),
        ("textDocument/didClose", {"textDocument": {"uri": other}}),
        ("textDocument/hover", {"textDocument": document, "position": AT}),
        ("textDocument/codeAction", {"textDocument": document, "range": EVERYWHERE, "context": {"diagnostics": []}}),
        ("textDocument/diagnostic", {"textDocument": document}),
        ("textDocument/codeLens", {"textDocument": document}),
        ("workspace/diagnostic", {"previousResultIds": []}),
        ("workspace/executeCommand", {"command": "ddl-lint.server.trace", "arguments": [uri, "html"]}),
        ("workspace/executeCommand", {"command": "ddl-lint.server.explainRule", "arguments": ["DDL402"]}),
        ("workspace/didChangeWatchedFiles", {"changes": [{"uri": other, "type": 2}]}),
        ("workspace/didChangeConfiguration", {"settings": {"ddl-lint": {"debounce": 0.02}}}),
        ("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": []}}),
        (
            "notebookDocument/didOpen",
            {
                "notebookDocument": {
                    "uri": f"{other}.ipynb",
                    "notebookType": "jupyter-notebook",
                    "version": 1,
                    "cells": [{"kind": 2, "document": f"{other}#1"}],
                },
                "cellTextDocuments": [{"uri": f"{other}#1", "languageId": "python", "version": 1, "text": SAVING}],
            },
        ),
        ("$/cancelRequest", {"id": 5}),
        ("$/setTrace", {"value": "verbose"}),
        ("window/workDoneProgress/cancel", {"token": "a"}),
    ]


@pytest.mark.parametrize("count", [600, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_odd_messages(start: Start, project: Path, count: int):
    client = start(PULLING)
    uri = (project / "sampling.py").as_uri()
    client.open(uri, SAMPLING)
    kinds = messages(project)
    asked: list[int] = []
    for number in range(count):
        dice = random.Random(number)
        method, params = dice.choice(kinds)
        message: Message = {"method": method, "params": with_odd_value(dice, params)}
        if dice.random() < 0.1:
            message = with_odd_value(dice, {"jsonrpc": "2.0", "id": client.number(), **message})
        elif method in REQUESTS:
            asked.append(client.number())
            message["id"] = asked[-1]
        client.send(message)
        if number % 100 == 99:
            for each in asked:
                assert client.answer(each)
                assert len(client.answers[each]) == 1
            asked.clear()
            # In spite of all that: what is right is answered as ever.
            client.close(uri)
            client.open(uri, SAMPLING, version=number + 10)
            (found,) = findings(client, uri, lambda found: [each["code"] for each in found] == ["DDL402"], pulls=True)
            assert found["range"]["start"]["line"] > 0
    assert client.process.poll() is None
