"""Puts the lines of a traceback, or of a dump of stacks, together again, for each process by itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import cast

from ddl_lint.diagnose.facts import Frame, LogPlace, Raised, Role, Stack
from ddl_lint.diagnose.line_heads import Line
from ddl_lint.diagnose.patterns import KNOWLEDGE, understood
from ddl_lint.jobs.known import read_data

ANCHORS = (
    b"Traceback (most recent call last",
    b"(most recent call first)",
    b"Exception ignored in",
    b"terminated with the following error",
    b"The above exception was the direct cause",
    b"During handling of the above exception",
    b'): "MainThread"',
    b"Error: ",
    b"Exception: ",
)
"""What the first line of each holds."""

_BEGIN = "Traceback (most recent call last"
_BEGIN_STACK = "(most recent call first)"
_PY_SPY = re.compile(r'^Thread \S+ \([\w+]+\): "MainThread"')
_JOINTS = ("The above exception was the direct cause", "During handling of the above exception")
_IGNORED = "Exception ignored in"
_SPAWNED = re.compile(r"^-- Process (\d{1,6}) terminated with the following error")
_FRAME = re.compile(r'^\s*File "(?P<file>[^"]{1,1000})", line (?P<line>\d{1,9})(?:,? in (?P<function>.{1,200}))?')
_PY_SPY_FRAME = re.compile(r"^\s+(?P<function>\S{1,200}) \((?P<file>[^()]{1,1000}):(?P<line>\d{1,9})\)")
_RICH_SIDE = "│"
_RICH_FRAME = re.compile(r"^│ (?P<file>\S{1,1000}\.py):(?P<line>\d{1,9}) in (?P<function>\S{1,200})")
_RICH_CODE = re.compile(r"^│ ❱ *\d{1,9} (?P<source>.{0,400}?)\s*│?$")
_EXCEPTION = re.compile(r"^(?P<name>[A-Za-z_][\w.]{0,200}?)(?:: ?(?P<message>.*))?$")
_ALONE = re.compile(r"^(?P<name>(?:[a-z_]\w*\.)*[A-Z]\w{0,80}(?:Error|Exception)): (?P<message>.+)$")
_GROUP_MARK = re.compile(r"^\s*(?:\| ?|\+-+ ?|\+ )+")
_CARETS = re.compile(r"^[\s~^]+$")
_MOST_FRAMES = 200
_MOST_STRAY_LINES = 40
_LONGEST = 1000
_MOST_OF_A_RANK = 6
_MOST_OF_NOBODY = 400


@dataclass(slots=True)
class _Open:
    """A traceback whose end is still to come."""

    place: LogPlace
    rank: int | None
    moment: float | None
    is_stack: bool
    is_ignored: bool = False
    frames: list[Frame] = field(default_factory=list[Frame])
    stray: int = 0


_Speaker = tuple[int | None, int | None, int | None]


@dataclass(slots=True)
class Tracebacks:
    """Those of one log, in which the lines of several processes may be mixed."""

    raised: list[Raised] = field(default_factory=list[Raised])
    stacks: list[Stack] = field(default_factory=list[Stack])
    _open: dict[_Speaker, _Open] = field(default_factory=dict[_Speaker, _Open])
    _last: dict[_Speaker, int | None] = field(default_factory=dict[_Speaker, "int | None"])
    _counts: Counter[int | None] = field(default_factory=Counter[int | None])
    _ignored: set[_Speaker] = field(default_factory=set[_Speaker])
    """Who has just said that the next exception is of no consequence."""

    _spawned: dict[_Speaker, int] = field(default_factory=dict[_Speaker, int])
    """The process whose exception its parent shows next."""

    omitted: int = 0
    """Those beyond what is kept of one rank."""

    @property
    def are_open(self) -> bool:
        """Whether one was begun whose end is still to come: then each line counts."""
        return bool(self._open)

    def shows_code(self, line: Line) -> bool:
        """Whether a line is a frame, or code that is shown below one: no message, whatever it holds."""
        return line.text[:1] in " \t" and line.speaker in self._open

    def take(self, line: Line, place: LogPlace, rank: int | None, moment: float | None) -> Raised | None:
        """Take a line; the exception, if it ends a traceback."""
        text, speaker = line.text, line.speaker
        if _BEGIN in text or _BEGIN_STACK in text or _PY_SPY.match(text):
            self._end_stack(speaker)
            rank = self._spawned.pop(speaker, None) if rank is None else rank
            self._open[speaker] = _Open(place, rank, moment, _BEGIN not in text, speaker in self._ignored)
            self._ignored.discard(speaker)
            return None
        if spawned := _SPAWNED.match(text):
            self._spawned[speaker] = int(spawned[1])
            return None
        if text.startswith(_IGNORED):
            self._ignored.add(speaker)
            return None
        if text.lstrip().startswith(_JOINTS):
            self._mark_last(speaker)
            return None
        begun = self._open.get(speaker)
        if begun is None:
            self._age()
            return self._alone(text, place, rank, moment)
        return self._continued(begun, speaker, _GROUP_MARK.sub("", text) if "|" in text[:12] else text, place)

    def end(self) -> None:
        """The log is over."""
        for speaker in list(self._open):
            self._end_stack(speaker)
        self._open.clear()

    def _continued(self, begun: _Open, speaker: _Speaker, text: str, place: LogPlace) -> Raised | None:
        frame = _FRAME.match(text) or (_PY_SPY_FRAME if begun.is_stack else _RICH_FRAME).match(text)
        if frame is not None:
            if len(begun.frames) < _MOST_FRAMES:
                begun.frames.append(Frame(frame["file"], int(frame["line"]), (frame["function"] or "").strip()))
            return None
        if (code := _RICH_CODE.match(text)) is not None:
            text = f" {code['source']}"
        if text[:1] == _RICH_SIDE:
            return None
        if not text.strip() or text[:1] in " \t":
            if begun.frames and not begun.frames[-1].source and text.strip() and not _CARETS.match(text):
                last = begun.frames[-1]
                begun.frames[-1] = Frame(last.file, last.line, last.function, text.strip()[:200])
            elif begun.is_stack and not text.strip():
                self._end_stack(speaker)
            return None
        found = _EXCEPTION.match(text)
        if begun.is_stack or found is None or not _is_exception(found["name"], bool(begun.frames)):
            begun.stray += 1
            if begun.stray > _MOST_STRAY_LINES or begun.is_stack:
                self._end_stack(speaker)
            return None
        del self._open[speaker]
        raised = _raised(begun, found["name"], (found["message"] or "")[:_LONGEST], place)
        return self._kept(raised, speaker)

    def _alone(self, text: str, place: LogPlace, rank: int | None, moment: float | None) -> Raised | None:
        """The last line of a traceback whose other lines are not in the log."""
        found = _ALONE.match(text)
        if found is None:
            return None
        begun = _Open(place, rank, moment, is_stack=False)
        return self._kept(_raised(begun, found["name"], found["message"][:_LONGEST], place), None)

    def _kept(self, raised: Raised, speaker: _Speaker | None) -> Raised:
        self._counts[raised.rank] += 1
        if self._counts[raised.rank] > (_MOST_OF_NOBODY if raised.rank is None else _MOST_OF_A_RANK):
            self.omitted += 1
            index = None
        else:
            index = len(self.raised)
            self.raised.append(raised)
        if speaker is not None:
            self._last[speaker] = index
        return raised

    def _end_stack(self, speaker: _Speaker) -> None:
        begun = self._open.pop(speaker, None)
        if begun is not None and begun.is_stack and begun.frames and len(self.stacks) < _MOST_OF_NOBODY:
            self.stacks.append(Stack(tuple(begun.frames), begun.place, begun.rank))

    def _mark_last(self, speaker: _Speaker) -> None:
        index = self._last.get(speaker)
        if index is not None:
            self.raised[index] = replace(self.raised[index], led_to=True)

    def _age(self) -> None:
        """Lines of others pass: what does not go on is given up in the end."""
        for speaker, begun in list(self._open.items()):
            begun.stray += 1
            if begun.stray > _MOST_STRAY_LINES * max(4, len(self._open)):
                self._end_stack(speaker)


def _raised(begun: _Open, name: str, message: str, place: LogPlace) -> Raised:
    short = name.rpartition(".")[2]
    known = understood(f"{name}: {message}")
    role: Role = known[0].role if known is not None and known[0].role != "notice" else "root"
    kind = known[0].kind if known is not None and known[0].role != "notice" else ""
    by_name = _roles().get(short)
    if by_name == "launcher" or begun.is_ignored:
        role = "notice"
    elif by_name == "teardown" or (by_name is not None and known is None):
        role = cast(Role, by_name)
    return Raised(short, message, tuple(begun.frames), place, begun.rank, begun.moment, kind, role)


@cache
def _roles() -> Mapping[str, str]:
    """The roles that exceptions have by their names, and `launcher`."""
    return {name: role for role, names in read_data(KNOWLEDGE / "exceptions.yaml").items() for name in names}


def _is_exception(name: str, has_frames: bool) -> bool:
    """Whether a word at the start of a line is the name of an exception."""
    short = name.rpartition(".")[2]
    if short.endswith(("Error", "Exception", "Interrupt", "Exit", "Warning", "Failure", "Timeout", "Iteration")):
        return True
    return has_frames and short[:1].isupper() and (short in _roles() or any(each.islower() for each in short))
