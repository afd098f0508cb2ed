"""A project that was checked before: the whole answer comes first, and nothing is shown that goes again."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from asking import codes, findings
from ddl_lint.registry.rules import load_rules
from ddl_lint.source import ColumnUnit
from ddl_lint_server.checker import Checker, serve
from ddl_lint_server.messages import Ask, Check, Describe, Outcome, Text, Update, Workspace
from raw_client import Arrival, Message
from server_programs import SAVING, Start

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def fresh_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("DDL_LINT_CACHE_DIR", str(tmp_path / "cache"))
    yield


def checker(project: Path, text: str) -> tuple[Checker, str]:
    """One with a document open, and its path."""
    path = (project / "saving.py").as_posix()
    made = Checker(load_rules())
    made.update(Update({path: Text(1, text, True)}, Workspace(ColumnUnit.UTF16, (project.as_posix(),)), True))
    return made, path


def asked(project: Path, text: str = SAVING, *, alone: bool = True) -> Outcome:
    made, path = checker(project, text)
    outcome = made.answer(Check(path, alone))
    assert isinstance(outcome, Outcome)
    return outcome


def test_what_an_earlier_session_has_found_is_the_first_answer(project: Path):
    assert not asked(project).is_whole
    whole = asked(project, alone=False)
    again = asked(project)
    assert again.is_whole
    (before,), (now,) = whole.files.values(), again.files.values()
    assert now == before and [each.code for each in now.found] == ["DDL305"]


def test_a_text_that_is_not_saved_is_checked(project: Path):
    asked(project, alone=False)
    outcome = asked(project, SAVING.replace("network.state_dict()", "{}"))
    assert not outcome.is_whole and [each.found for each in outcome.files.values()] == [()]


def test_a_file_that_has_changed_on_the_disk_is_checked(project: Path):
    asked(project, alone=False)
    (project / "train.py").write_text("print()\n", encoding="utf-8")
    assert not asked(project).is_whole


def test_what_is_stored_is_read_in_a_quiet_moment(project: Path):
    asked(project, alone=False)
    made, path = checker(project, SAVING)
    made.answer(Check(path, True))
    assert made.read_next() and not made.read_next()  # it was the only one
    outcome = made.answer(Check(path, False))
    assert isinstance(outcome, Outcome) and [each.code for each in outcome.files[path].found] == ["DDL305"]


class Editor:
    """The other end of a pipe: each request follows the answer before it at once, but not in the same moment."""

    def __init__(self, *requests: Any) -> None:
        self.requests = list(requests)
        self.events: list[str] = []

    def poll(self, seconds: float) -> bool:
        return bool(self.requests) and seconds > 0

    def recv(self) -> Any:
        if not self.requests:
            raise EOFError
        return self.requests.pop(0)

    def send(self, reply: object) -> None:
        self.events.append(type(reply).__name__)


def test_what_an_editor_asks_after_the_first_findings_is_answered_before_the_project_is_read(
    project: Path, monkeypatch: pytest.MonkeyPatch
):
    asked(project, alone=False)
    path = (project / "saving.py").as_posix()
    workspace = Workspace(ColumnUnit.UTF16, (project.as_posix(),))
    nothing = Update({}, None, False)
    editor = Editor(
        (Check(path, True), Update({path: Text(1, SAVING, True)}, workspace, True)),
        (Ask(path, 0, 6, 5), nothing),
        (Describe(path), nothing),
    )
    really = Checker.read_next

    def read_next(self: Checker) -> bool:
        editor.events += ["read"] if self.is_behind else []
        return really(self)

    monkeypatch.setattr(Checker, "read_next", read_next)
    monkeypatch.setattr(sys, "stdout", sys.stdout)  # a worker turns it away
    serve(editor)  # type: ignore[arg-type]
    assert [each for each in editor.events if each != "TimeSpent"] == [
        "Ready",
        "Outcome",
        "TextAnswer",
        "TextAnswer",
        "read",
    ]


def test_in_a_second_session_nothing_comes_and_goes(start: Start, project: Path, tmp_path: Path):
    environment = {"DDL_LINT_CACHE_DIR": str(tmp_path / "other")}
    uri = (project / "saving.py").as_uri()
    for is_warm in (False, True):
        client = start(environment=environment)
        client.open(uri, SAVING)
        findings(client, uri, lambda found: codes(found) == ["DDL305"], pulls=False)
        shown = [codes(each["params"]["diagnostics"]) for each in _published(client.arrivals, uri)]
        assert shown[-1] == ["DDL305"]
        if is_warm:
            assert shown == [["DDL305"]]
        client.stop()


def _published(arrivals: list[Arrival], uri: str) -> list[Message]:
    messages = [each.message for each in arrivals]
    told = [each for each in messages if each.get("method") == "textDocument/publishDiagnostics"]
    return [each for each in told if each["params"]["uri"] == uri]
