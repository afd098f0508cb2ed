"""What is shown on a terminal and nowhere else: links and progress."""

from __future__ import annotations

import io
import threading

import pytest

from ddl_lint import timing
from ddl_lint.commands import progress, terminal


class Terminal(io.StringIO):
    """A stream that a person looks at; `has_written` tells that something was put on it."""

    def __init__(self) -> None:
        super().__init__()
        self.has_written = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        written = super().write(text)
        self.has_written.set()
        return written


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """A terminal that knows nothing but colours."""
    marks = ("WT_SESSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "DOMTERM", "WEZTERM_PANE", "VTE_VERSION", "TMUX")
    for name in (*marks, "TERM_PROGRAM", "NO_COLOR", "FORCE_COLOR", "FORCE_HYPERLINK", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    terminal.choose_colour("auto")
    yield
    terminal.choose_colour("auto")


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, False),
        ({"TERM_PROGRAM": "vscode"}, True),
        ({"TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"TERM": "xterm-kitty"}, True),
        ({"VTE_VERSION": "6800"}, True),
        ({"VTE_VERSION": "5000"}, False),
        ({"VTE_VERSION": "old"}, False),
        ({"WT_SESSION": "1"}, True),
        ({"WT_SESSION": "1", "TERM": "dumb"}, False),
        ({"WT_SESSION": "1", "NO_COLOR": "1"}, False),
        ({"WT_SESSION": "1", "CI": "true"}, False),
        ({"WT_SESSION": "1", "TERM": "screen-256color"}, False),
        ({"WT_SESSION": "1", "TMUX": "/tmp/x"}, False),
        ({"WT_SESSION": "1", "FORCE_HYPERLINK": "0"}, False),
        ({"FORCE_HYPERLINK": "1", "NO_COLOR": "1", "TERM": "dumb"}, True),
    ],
)
def test_links_are_for_terminals_that_show_them(monkeypatch, variables, expected):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert terminal.has_links(Terminal()) is expected
    assert terminal.has_links(io.StringIO()) is (expected and "FORCE_HYPERLINK" in variables)


def test_no_colour_is_no_links(monkeypatch):
    monkeypatch.setenv("WT_SESSION", "1")
    terminal.choose_colour("never")
    assert not terminal.has_links(Terminal())
    assert not terminal.has_colour(Terminal())


@pytest.mark.parametrize(
    ("variables", "expected"), [({}, True), ({"CI": "1"}, False), ({"TERM": "dumb"}, False), ({"NO_COLOR": "1"}, True)]
)
def test_progress_is_for_people_who_wait(monkeypatch, variables, expected):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert terminal.shows_progress(Terminal()) is expected
    assert not terminal.shows_progress(io.StringIO())


def test_places_and_codes_are_links(run, tmp_path, monkeypatch):
    (tmp_path / "a b.py").write_text("\nlost-rank\n", encoding="utf-8")
    assert "\x1b]8;" not in run(".").out
    monkeypatch.setenv("FORCE_HYPERLINK", "1")
    out = run(".", "--output-format", "concise").out
    begin, address, rest = out.split(";", 3)[1:4][0], *out.split(";", 2)[2].split("\x1b\\", 1)
    assert begin == ""
    assert address.startswith("file://") and address.endswith("/a%20b.py#2")
    assert rest.startswith("a b.py:2:1\x1b]8;;\x1b\\: error DDL201")
    assert "\x1b]8;" not in run(".", "--output-format", "json").out
    assert run(".", "--output-file", "out.txt").code == 1
    assert "\x1b]8;" not in (tmp_path / "out.txt").read_text(encoding="utf-8")


def test_progress_says_what_is_done_and_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stream = Terminal()
    with (
        timing.collect(),
        progress.shown(stream, "Checking 2 files", after=0),
        timing.stage("follow", (tmp_path / "train.py").as_posix()),
        timing.stage("rules", "lost-rank"),
    ):
        for _ in range(2):  # the first line may have been made before the stages were open
            stream.has_written.clear()
            assert stream.has_written.wait(60)
    assert "\r\x1b[KChecking 2 files: train.py" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_an_interruption_ends_the_line(monkeypatch):
    stream = Terminal()
    with pytest.raises(KeyboardInterrupt), progress.shown(stream, "Checking", after=0):
        assert stream.has_written.wait(60)
        raise KeyboardInterrupt
    assert stream.getvalue().endswith("\r\x1b[K")


def test_a_quick_check_shows_no_progress():
    stream = Terminal()
    with progress.shown(stream, "Checking", after=threading.TIMEOUT_MAX):
        pass
    assert stream.getvalue() == ""


def test_a_terminal_that_is_gone_stops_nothing():
    class Gone(Terminal):
        def write(self, text: str) -> int:
            self.has_written.set()
            raise OSError("gone")

    stream = Gone()
    with progress.shown(stream, "Checking", after=0):
        assert stream.has_written.wait(60)
