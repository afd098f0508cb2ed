"""Guards against code that is nested so deeply that parsing it would overflow the stack or take minutes.

libcst recurses in native code: past the end of the stack the process dies without an exception. So whatever
parses or walks a tree runs in a thread with a large stack (`in_deep_stack`), and statements past the limits
below are not parsed at all (`find_excess`). libcst itself refuses more than 99 levels of indentation.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, ParamSpec, TypeVar

from ddl_lint.source.lexer import Kind, scan

MAX_BRACKETS = 200
"""Brackets inside brackets; the limit of CPython's own parser."""
MAX_TERMS = 1000
"""Operators, calls and string parts that nest in one expression: `a + b + …`, `a.b().c()…`, `"a" "b" …`."""
MAX_BRANCHES = 1000
"""`elif` branches, or cases of `match`, in one top-level statement."""

STACK_BYTES = 64 << 20
RECURSION_LIMIT = 10_000

_P = ParamSpec("_P")
_T = TypeVar("_T")

# Signs that may come before an operand nest one by one: `--x` is two terms.
_TERM = re.compile(r"(,|;)|\b(lambda)\b|[-+~]|[*/%@&|^<>.!=]+|\b(?:and|or|not|if|else|await|in|is)\b")

_BRANCHES = {word: re.compile(rf"^[ \t]+{word}\b" if word == "case" else word, re.M) for word in ("elif", "case")}
_FORMATTED = re.compile(r"(?i)r?[ft]")
_FIELD_PART = re.compile(r"(?<!\{)\{\{(?!\{)|[(\[{]|[)\]}]|" + _TERM.pattern)

# Lines that close every bracket and string that they open. They hold fewer terms than characters and nest
# brackets no deeper than this expression does, so that only other lines need a closer look.
_PLAIN = r"[^\n'\"#\\()\[\]{}]*"
_STRING = r"\"\"\"[^\"\\{]*\"\"\"|\"(?!\"\")[^\"\\\n]*\"|'(?!'')[^'\\\n]*'"


def _closed_code(depth: int) -> str:
    inner = f"|[(\\[{{]{_closed_code(depth - 1)}[)\\]}}]" if depth else ""
    return f"{_PLAIN}(?:(?:{_STRING}{inner}){_PLAIN})*"


_CLOSED_LINES = re.compile(rf"(?:{_closed_code(4)}(?:#[^\n]*)?\n)+")


class Excess(NamedTuple):
    """Where a statement exceeds a limit, and whether the limit is ours only: Python itself refuses deeper brackets."""

    offset: int
    is_legal: bool


def find_excess(text: str) -> Excess | None:
    """Where a statement exceeds `MAX_BRACKETS`, `MAX_TERMS` or `MAX_BRANCHES`; None if none does."""
    if len(text) < min(MAX_BRACKETS, MAX_TERMS):
        return None
    for word, line in _BRANCHES.items():
        if text.count(word) > MAX_BRANCHES and sum(1 for _ in line.finditer(text)) > MAX_BRANCHES:
            return Excess(text.find(word), True)
    skips = max(map(len, text.split("\n"))) < MAX_TERMS
    position = 0
    while position < len(text):
        if skips and (closed := _CLOSED_LINES.match(text, position)):
            position = closed.end()
            continue
        excess, position = _find_excess_in_line(text, position)
        if excess is not None:
            return excess
    return None


def _find_excess_in_line(text: str, position: int) -> tuple[Excess | None, int]:
    """The same for one logical line, and where the next one begins.

    `terms` counts what may nest around the current place, `base` that part of it which a comma does not end.
    """
    outer: list[tuple[int, int]] = []
    terms = base = 0
    for token in scan(text, position):
        for sign in _TERM.finditer(text, position, token.start):
            terms += 1
            if sign.lastindex == 1:
                terms = base
            elif sign.lastindex == 2:
                base += 1
        if terms > MAX_TERMS:  # a bracket that closes would forget them
            return Excess(token.start, True), token.end
        position = token.end
        if token.kind is Kind.OPEN:
            outer.append((terms + 1, base))
            base = terms = terms + 1
        elif token.kind is Kind.CLOSE:
            if outer:
                terms, base = outer.pop()
        elif token.kind is Kind.STRING:
            terms += 1
            if _has_deep_field(text[token.start : token.end]):
                return Excess(token.start, True), position
        if terms > MAX_TERMS or len(outer) > MAX_BRACKETS:
            return Excess(token.start, len(outer) <= MAX_BRACKETS), position
        if token.kind is Kind.NEWLINE and not outer:
            return None, position
    terms += len(_TERM.findall(text, position))
    return (Excess(position, True) if terms > MAX_TERMS else None), len(text)


def _has_deep_field(string: str) -> bool:
    """Whether a field of an f-string exceeds a limit."""
    if string.count("{") + string.count("(") + string.count("[") + len(string) // 2 < min(MAX_BRACKETS, MAX_TERMS):
        return False
    if not _FORMATTED.match(string):
        return False
    depth = terms = 0
    for match in _FIELD_PART.finditer(string):
        part = match.group()
        if not depth:
            depth, terms = int(part == "{"), 0
        elif part in "([{":
            depth += 1
        elif part in ")]}":
            depth -= 1
        else:
            terms += 1
        if depth > MAX_BRACKETS or terms > MAX_TERMS:
            return True
    return False


def _with_room(function: Callable[[], _T]) -> _T:
    """Call a function so that the frames of the calls inside of it lie in one piece of memory.

    CPython keeps them, from 3.11 on, in pieces of 16 KiB, and maps and unmaps one each time that calls go to and fro
    across its end: a tenth of the time of code that recurses as ours does. A frame that says that it may need a little
    more than half of a larger piece gets that piece, and leaves the other half to others; unused, it costs nothing.
    """
    return function()


_ROOM = 8 << 20  # bytes
_LOOK_FOR_INTERRUPTS = 0.2 if sys.platform == "win32" else None  # seconds; elsewhere Ctrl-C ends a wait by itself
_with_room.__code__ = _with_room.__code__.replace(co_stacksize=_ROOM // 8 + 64)


class _DeepStack:
    """One thread with a large stack that lives as long as the process and runs one call at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: SimpleQueue[tuple[Callable[[], Any], SimpleQueue[tuple[bool, Any]]]] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def run(self, function: Callable[[], _T], when_interrupted: Callable[[], bool] | None = None) -> _T:
        if sys.platform == "emscripten":  # a browser has no threads; CPython's own guards end what goes too deep
            return function()
        with self._lock:
            if self._thread is None or not self._thread.is_alive():  # a forked process has no threads of its parent
                self._calls = SimpleQueue()
                self._thread = self._start()
        if threading.current_thread() is self._thread:
            return function()
        answer: SimpleQueue[tuple[bool, Any]] = SimpleQueue()
        self._calls.put((function, answer))
        while True:
            try:
                with suppress(Empty):
                    done, value = answer.get(timeout=_LOOK_FOR_INTERRUPTS)
                    break
            except KeyboardInterrupt:
                if when_interrupted is None or not when_interrupted():
                    raise
                when_interrupted = None
        if not done:
            raise value
        return value

    def _start(self) -> threading.Thread:
        thread = threading.Thread(target=self._serve, args=(self._calls,), name="ddl-lint deep stack", daemon=True)
        sys.setrecursionlimit(max(RECURSION_LIMIT, sys.getrecursionlimit()))
        usual = threading.stack_size(STACK_BYTES)
        try:
            thread.start()
        finally:
            threading.stack_size(usual)
        return thread

    @staticmethod
    def _serve(calls: SimpleQueue[tuple[Callable[[], Any], SimpleQueue[tuple[bool, Any]]]]) -> None:
        while True:
            function, answer = calls.get()
            try:
                answer.put((True, _with_room(function)))
            except BaseException as error:  # it is the caller's, whatever it is
                answer.put((False, error))
            del function, answer  # what they hold can be large, and the next call may be long in coming


_deep_stack = _DeepStack()


def in_deep_stack(function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Call a function where deep recursion is safe: a thread with 64 MB of stack and a high recursion limit.

    There is one such thread; calls from other threads wait their turn, calls from inside it run at once.
    What the function raises is raised here.
    """
    return _deep_stack.run(lambda: function(*args, **kwargs))


def in_deep_stack_until(
    when_interrupted: Callable[[], bool] | None, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs
) -> _T:
    """The same; at the first Ctrl-C, `when_interrupted` says whether what the function returns is waited for."""
    return _deep_stack.run(lambda: function(*args, **kwargs), when_interrupted)
