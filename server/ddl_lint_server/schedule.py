"""When which document is checked. The newest state wins, and nothing is reported about a state that is gone."""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from ddl_lint_server.kept_lines import in_present_text
from ddl_lint_server.messages import Answer, Check, Checked, Found, Outcome, Place, Request
from ddl_lint_server.worker import Died, Snapshot, TookTooLong, WorkerError

SLOW = 2.0
"""Seconds. Where a project takes longer, each text is checked by itself first, so that there is an answer meanwhile.

Elsewhere only the first one is: what a text shows by itself is not all, and findings that come and go are a nuisance.
"""

_LONGEST_PAUSE = 2.0
"""Seconds. Where a check takes long, the user is given some of that to go on typing before the next one."""

_MOST_DEATHS = 3
"""Checks of a document that the worker does not survive; then it is left alone, so that the others are served."""


@dataclass
class _Entry:
    """A document: the stamp of its present text, and what was found in which one."""

    stamp: int
    due: float
    mark: int = 0
    """Grows with everything that may change the findings."""
    checked: Checked | None = None
    is_complete: bool = False
    """Whether `checked` takes the whole project into account, as it is now."""
    content: str | None = None
    """The text that `checked` is about; None where it is not findings in a text."""
    is_note: bool = False
    """Whether `checked` only says that it takes long."""
    scope: str | None = None
    seconds: float = 0.0
    """How long its last check took."""
    deaths: int = 0
    """How many checks of it the worker has not survived."""
    waiting: list[asyncio.Future[None]] = field(default_factory=list[asyncio.Future[None]])

    @property
    def is_current(self) -> bool:
        return self.checked is not None and self.checked.stamp == self.stamp

    @property
    def is_known(self) -> bool:
        """Whether something was found out about the present text."""
        return self.is_current and not self.is_note

    def touch(self, due: float) -> None:
        self.due = due
        self.mark += 1
        self.is_complete = False

    def wake(self) -> None:
        waiting, self.waiting = self.waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)


class Schedule:
    """Keeps the findings of the open documents up to date, one check at a time.

    Args:
        ask: Asks the worker.
        snapshot: The state of all documents.
        tell: Is given the path of a document and what was found in its present text.
        log: Takes lines for people who look after the server.
    """

    def __init__(
        self,
        ask: Callable[[Request, Snapshot], Awaitable[Answer]],
        snapshot: Callable[[], Snapshot],
        tell: Callable[[str, Checked], None],
        log: Callable[[str], None],
    ) -> None:
        self.debounce = 0.15
        """Seconds from the last change of a document to its check; more where that takes long."""
        self.patience = 20.0
        """Seconds after which a message says that the first check of a document takes long."""
        self.grace = 0.3
        """Seconds for which `soon` waits for the present text."""
        self._ask = ask
        self._snapshot = snapshot
        self._tell = tell
        self._log = log
        self._entries: dict[str, _Entry] = {}
        self._seconds: dict[str, float] = {}
        self._too_large: set[str] = set()
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to check. Until then documents are only taken in."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def stop(self) -> None:
        """Check nothing any more; who waits for findings goes on without."""
        if self._task is not None:
            self._task.cancel()
        for path in tuple(self._entries):
            self.closed(path)

    # --- what happens to documents ------------------------------------------------------------------------------------

    def changed(self, path: str, stamp: int, *, is_new: bool = False) -> None:
        """A document was opened or has another text."""
        entry = self._entries.setdefault(path, _Entry(stamp, 0.0))
        pause = max(self.debounce, min(entry.seconds / 4, _LONGEST_PAUSE))
        due = time.monotonic() + (0.0 if is_new else pause)
        entry.stamp = stamp
        entry.touch(due)
        self._touch_beside(entry.scope, due)

    def closed(self, path: str) -> None:
        """A document is no longer open: from now on the file counts."""
        entry = self._entries.pop(path, None)
        if entry is not None:
            entry.wake()
            self._touch_beside(entry.scope, time.monotonic())

    def everything(self) -> None:
        """Something has changed that may matter to all documents: settings, or files on the disk."""
        self._too_large.clear()
        for entry in self._entries.values():
            entry.deaths = 0
            entry.touch(time.monotonic() + self.debounce)
        self._news.set()

    def _touch_beside(self, scope: str | None, due: float) -> None:
        """What changes in one file of a project may show in the others."""
        for entry in self._entries.values():
            if scope and entry.scope == scope:
                entry.touch(max(entry.due, due))
        self._news.set()

    # --- what is known ------------------------------------------------------------------------------------------------

    def known(self, path: str) -> Checked | None:
        """What was found in the present text of a document; None if that is not known yet."""
        entry = self._entries.get(path)
        return entry.checked if entry is not None and entry.is_current else None

    def last(self, path: str) -> Checked | None:
        """The same; until the present text is checked, what was found in those lines of an earlier one that are still
        there. Of an earlier text of a notebook nothing is known.
        """
        entry = self._entries.get(path)
        present = self._snapshot().texts.get(path)
        if entry is None or entry.checked is None or entry.is_current or present is None:
            return self.known(path)
        if entry.content is None or path.lower().endswith(".ipynb"):
            return None
        return in_present_text(entry.checked, path, entry.content, present)

    def is_complete(self, path: str) -> bool:
        """Whether what is known takes the present state of all other documents into account."""
        entry = self._entries.get(path)
        return entry is not None and entry.is_current and entry.is_complete

    def is_read(self, path: str) -> bool:
        """Whether the project of a document has been checked as a whole, so that the next check will be quick."""
        entry = self._entries.get(path)
        return entry is not None and entry.scope in self._seconds

    async def latest(self, path: str, *, complete: bool = False, hurry: bool = False) -> Checked | None:
        """What is found in a document, as soon as that is known; None when it was closed meanwhile.

        Args:
            path: Of the document.
            complete: Wait until the project has been checked, not only the document by itself.
            hurry: Do not wait until the user has stopped typing.
        """
        while True:
            entry = self._entries.get(path)
            if entry is None:
                return None
            if entry.is_current and (entry.is_complete or not complete):
                return entry.checked
            if hurry:
                entry.due = min(entry.due, time.monotonic())
                self._news.set()
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            entry.waiting.append(future)
            await future

    async def soon(self, path: str) -> Checked | None:
        """What is found in a document; if that takes a while, what is known of the last text of it that was checked."""
        latest = asyncio.ensure_future(self.latest(path, hurry=True))
        try:
            await asyncio.wait({latest}, timeout=self.grace)
            known = None if latest.done() else self.last(path)
            return known or await latest
        finally:
            latest.cancel()

    # --- the work -----------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            self._news.clear()
            path, delay = self._next()
            if not path or delay > 0:
                await self._sleep(delay if path else None)
                continue
            try:
                await self._check(path)
            except Exception:
                self._log(traceback.format_exc())
                self._give_up(path, "ddl-lint itself failed")

    async def _sleep(self, seconds: float | None) -> None:
        waiting = asyncio.ensure_future(self._news.wait())
        try:
            await asyncio.wait({waiting}, timeout=seconds)
        finally:
            waiting.cancel()

    def _next(self) -> tuple[str, float]:
        """The document to check next, and in how many seconds: first those of whose text nothing is known."""
        now = time.monotonic()
        waiting = [(path, entry) for path, entry in self._entries.items() if not entry.is_complete]
        if not waiting:
            return "", 0.0
        path, entry = min(waiting, key=lambda item: (max(item[1].due - now, 0.0), item[1].is_known, item[1].due))
        return path, entry.due - now

    async def _check(self, path: str) -> None:
        entry = self._entries[path]
        if entry.deaths >= _MOST_DEATHS:
            self._give_up(path, f"the checking process has ended over it {_MOST_DEATHS} times; open it again to retry")
            return
        alone = not entry.is_known and self._is_slow(entry.scope)
        alone = alone or entry.scope in self._too_large
        marks = {each: (known, known.mark) for each, known in self._entries.items()}
        began, snapshot = time.monotonic(), self._snapshot()
        try:
            outcome = await self._asked(path, alone, snapshot)
        except WorkerError as error:
            self._failed(path, entry, error, is_alone=alone or not entry.scope)
            return
        assert isinstance(outcome, Outcome)
        entry.scope, entry.seconds = outcome.scope, time.monotonic() - began
        if not alone:
            self._seconds[outcome.scope] = time.monotonic() - began
        is_whole = not alone or outcome.is_whole or not outcome.scope or outcome.scope in self._too_large
        for problem in outcome.problems:
            self._log(problem)
        for each, checked in outcome.files.items():
            self._take(each, checked, is_whole, marks, outcome.scope, snapshot)

    async def _asked(self, path: str, alone: bool, snapshot: Snapshot) -> Answer:
        """The answer of the worker. Where it takes long, and nothing is known of the document, a message says so."""
        asking = asyncio.ensure_future(self._ask(Check(path, alone), snapshot))
        try:
            await asyncio.wait({asking}, timeout=self.patience)
            entry = self._entries.get(path)
            if not asking.done() and entry is not None and entry.checked is None:
                entry.is_note = True
                self._say(path, entry, "ddl-lint is still checking this file: cannot tell yet what is in it")
            return await asking
        finally:
            asking.cancel()

    def _failed(self, path: str, entry: _Entry, error: WorkerError, *, is_alone: bool) -> None:
        """There is no answer: from now on less is checked at once, and in the end nothing."""
        is_dead = isinstance(error, Died)
        if is_alone or not (is_dead or isinstance(error, TookTooLong)):
            entry.deaths += is_dead
            self._log(f"{path} was not checked: {error}")
            self._give_up(path, str(error))
        elif is_dead or entry.is_known:
            self._too_large.add(entry.scope or "")
            entry.is_complete = entry.is_known
            entry.wake()
            self._log(f"{entry.scope} is not checked as a whole: {error}. Its open files are checked by themselves.")
        else:
            self._seconds.pop(entry.scope or "", None)  # by itself first

    def _is_slow(self, scope: str | None) -> bool:
        """Whether it takes a while to check the project; so for one that was not checked yet."""
        return scope is None or (scope != "" and self._seconds.get(scope, SLOW) >= SLOW)

    def _take(
        self,
        path: str,
        checked: Checked,
        is_whole: bool,
        marks: dict[str, tuple[_Entry, int]],
        scope: str,
        snapshot: Snapshot,
    ) -> None:
        entry = self._entries.get(path)
        known, mark = marks.get(path, (None, -1))
        if entry is None or entry is not known or checked.stamp != entry.stamp:
            return
        entry.scope = scope
        entry.checked, entry.is_note = checked, False
        entry.content = snapshot.texts[path].content
        entry.is_complete = is_whole and entry.mark == mark
        entry.wake()
        self._tell(path, checked)

    def _give_up(self, path: str, reason: str) -> None:
        """Say that a document was not checked: no findings would mean that nothing is wrong with it."""
        entry = self._entries.get(path)
        if entry is None:
            return
        entry.is_note, entry.is_complete = False, True
        self._say(path, entry, f"ddl-lint could not check this file: {reason}")

    def _say(self, path: str, entry: _Entry, message: str) -> None:
        """Say something in a document in place of findings."""
        found = Found("not-checked", "", "not-checked", message, "note", Place(path, 0, 0, 0, 0, 0), 0)
        entry.checked, entry.content = Checked(entry.stamp, f"not-checked {message}", (found,)), None
        entry.wake()
        self._tell(path, entry.checked)
