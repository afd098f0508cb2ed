"""Reads logs of any size in one pass: only lines that may mean something are looked at closely."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from ddl_lint.diagnose.error_files import error_file
from ddl_lint.diagnose.facts import Fact, Log, LogPlace
from ddl_lint.diagnose.inputs import READ_ERRORS, Input, blocks, kind_of, opened
from ddl_lint.diagnose.line_heads import Line, labels_tasks, moment_in, taken_apart
from ddl_lint.diagnose.patterns import anchors, understood
from ddl_lint.diagnose.recorder import NotRecorded, recording_of_json, recording_of_pickle
from ddl_lint.diagnose.tracebacks import ANCHORS, Tracebacks

Progress = Callable[[str, int], None]
"""Called with each file, and how many bytes of all were read."""

_LONGEST_LINE = 16_384
"""Bytes of a line that are looked at; what is beyond is passed over."""

_SHOWN = 600
_MOST_OF_A_RANK = 8
_MOST_OF_NOBODY = 1_200
_MOST_FACTS = 100_000
_MOST_DATA = 64 << 20
"""Bytes of a recorder or of JSON, which are not read line by line."""

_MOST_HITS = 300_000
"""Lines with the same words in them after which these say nothing any more."""

_LOOK_BACK = 2_000


def read_logs(inputs: Sequence[Input], stdin: BinaryIO | None = None, progress: Progress | None = None) -> Log:
    """All that some files tell. What cannot be read is a problem of the log, and the rest is read."""
    log = Log()
    done = 0
    only_one = len(inputs) == 1
    for source in inputs:
        if progress is not None:
            progress(source.path, done)
        try:
            with opened(source, stdin) as stream:
                done += _read(log, source, stream, only_one, progress, done)
        except READ_ERRORS as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            log.problems.append(f"{source.path}: cannot be read: {reason}")
    return log


def _read(log: Log, source: Input, stream: BinaryIO, only_one: bool, progress: Progress | None, done: int) -> int:
    kind = kind_of(stream)
    log.files.append(source.path)
    first = b""
    if kind != "log":
        first = stream.read(_MOST_DATA + 1)
        if _read_data(log, source, first, kind):
            return len(first)
    reader = _Reader(log, source, only_one)
    size = 0
    try:
        for block in blocks(stream, first):
            size += len(block)
            reader.feed(block)
            if progress is not None:
                progress(source.path, done + size)
    finally:
        reader.end()
    return size


def _read_data(log: Log, source: Input, data: bytes, kind: str) -> bool:
    """Whether it was no log: a flight recorder, or the error file of a launcher."""
    if len(data) > _MOST_DATA:
        if kind == "pickle":
            log.problems.append(
                f"{source.path}: is larger than {_MOST_DATA >> 20} MiB, too large for a flight recorder"
            )
        return kind == "pickle"
    try:
        if kind == "pickle":
            log.recordings.append(recording_of_pickle(data, source))
            return True
        raised = error_file(data, source)
        if raised is not None:
            log.raised.append(raised)
            return True
        log.recordings.append(recording_of_json(data, source))
        return True
    except NotRecorded as error:
        if kind == "pickle":
            log.problems.append(f"{source.path}: is no flight recorder that can be read: {error}")
            return True
        return False


@dataclass(slots=True)
class _Reader:
    """Goes through one log."""

    log: Log
    source: Input
    only_one: bool
    line: int = 1
    rest: bytes = b""
    is_skipping: bool = False
    by_task: bool | None = None
    tracebacks: Tracebacks = field(default_factory=Tracebacks)
    counts: Counter[tuple[str, int | None]] = field(default_factory=Counter[tuple[str, int | None]])
    hits: Counter[bytes] = field(default_factory=Counter[bytes])
    anchors: tuple[bytes, ...] = field(default_factory=lambda: (*anchors(), *ANCHORS))

    def feed(self, block: bytes) -> None:
        """Take the next bytes."""
        if self.is_skipping:
            end = block.find(b"\n")
            if end < 0:
                return
            block, self.is_skipping, self.line = block[end + 1 :], False, self.line + 1
        data = self.rest + block if self.rest else block
        end = data.rfind(b"\n") + 1
        self.rest = data[end:]
        if len(self.rest) > _LONGEST_LINE:
            self._whole(data[:end])
            self._whole(self.rest[:_LONGEST_LINE], closed=False)
            self.rest, self.is_skipping = b"", True
            return
        self._whole(data[:end])

    def end(self) -> None:
        """The file is over."""
        if self.rest:
            self._whole(self.rest, closed=False)
            self.line += 1
        self.tracebacks.end()
        self._keep_tracebacks()
        self.log.lines += self.line - 1

    def _whole(self, data: bytes, *, closed: bool = True) -> None:
        """Take whole lines."""
        if not data:
            return
        if self.by_task is None:
            self.by_task = labels_tasks(data[:65_536].decode("utf-8", "replace"))
        hits = self._hits(data)
        at, number, length = 0, self.line, len(data)
        while at < length:
            if not self.tracebacks.are_open:
                index = bisect_left(hits, at)
                if index == len(hits):
                    break
                number += data.count(b"\n", at, hits[index])
                at = hits[index]
            end = data.find(b"\n", at)
            end = length if end < 0 else end
            self._take(data, at, end, number)
            at, number = end + 1, number + 1
        self.line = number + (data.count(b"\n", at) if at < length else 0)
        if not closed:
            self.line -= at > length

    def _hits(self, data: bytes) -> list[int]:
        """Where the lines begin that may mean something."""
        found: set[int] = set()
        for anchor in self.anchors:
            at, before = data.find(anchor), len(found)
            while at >= 0:
                found.add(data.rfind(b"\n", 0, at) + 1)
                end = data.find(b"\n", at)
                at = data.find(anchor, end) if end >= 0 else -1
            self.hits[anchor] += len(found) - before
        if any(self.hits[anchor] > _MOST_HITS for anchor in self.anchors):
            self.anchors = tuple(anchor for anchor in self.anchors if self.hits[anchor] <= _MOST_HITS)
        return sorted(found)

    def _take(self, data: bytes, start: int, end: int, number: int) -> None:
        raw = data[start : min(end, start + _LONGEST_LINE)].decode("utf-8", "replace").rstrip("\r")
        line = taken_apart(raw, by_task=bool(self.by_task))
        place, rank = LogPlace(self.source.path, number), self._rank(line)
        if rank is not None:
            self.log.ranks.add(rank)
        was_open = self.tracebacks.are_open
        moment = line.moment
        if moment is None and not was_open:
            moment = _moment_before(data, start)
        if self.tracebacks.shows_code(line):
            self.tracebacks.take(line, place, rank, moment)
            return
        self.tracebacks.take(line, place, rank, moment)
        known = understood(line.text)
        if known is not None:
            pattern, values = known
            said = values.get("rank", "")
            by = int(said) if said.isdigit() else rank
            self._keep(Fact(pattern.kind, pattern.role, place, by, moment, line.text.strip()[:_SHOWN], values))

    def _rank(self, line: Line) -> int | None:
        """Who says a line: the label of the line, else the name of the file."""
        if line.rank is not None:
            return line.rank
        if line.local_rank is not None and self.only_one:
            return line.local_rank
        return line.task if line.task is not None else self.source.rank

    def _keep(self, fact: Fact) -> None:
        key = fact.kind, fact.rank
        self.counts[key] += 1
        most = _MOST_OF_NOBODY if fact.rank is None else _MOST_OF_A_RANK
        if self.counts[key] > most or len(self.log.facts) >= _MOST_FACTS:
            self.log.omitted += 1
            return
        self.log.facts.append(fact)

    def _keep_tracebacks(self) -> None:
        self.log.raised.extend(self.tracebacks.raised)
        self.log.stacks.extend(self.tracebacks.stacks)
        self.log.omitted += self.tracebacks.omitted


def _moment_before(data: bytes, start: int) -> float | None:
    """The last time that lines shortly before tell."""
    before = data[max(0, start - _LOOK_BACK) : start].decode("utf-8", "replace").splitlines()
    moments: Iterable[float | None] = (moment_in(line[:200]) for line in reversed(before[-12:]))
    return next((moment for moment in moments if moment is not None), None)
