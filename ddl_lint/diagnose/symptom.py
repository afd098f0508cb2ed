"""What the logs by themselves say: what came first, who waits for whom, and who is not there."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ddl_lint.diagnose.facts import Fact, Frame, Log, LogPlace, Raised
from ddl_lint.diagnose.recorder_table import Parting, parting

OUTSIDE = ("preempted", "time-limit", "node-failed", "device-fault", "host-memory", "network-fault")
"""What happens to a job from outside; a time limit also ends one that hangs."""

_GENERAL = ("nccl-invalid-usage", "nccl-system-error")
"""What the rest of a message says more closely."""

_NEAR = 30
"""Lines within which a fact belongs to the exception above it: the rest of its message."""

_MOST_WORLD = 1_000_000


@dataclass(frozen=True, slots=True)
class Wait:
    """A rank that waits in a collective, and where."""

    rank: int | None
    op: str
    place: LogPlace
    sequence: int | None = None
    numel: int | None = None
    group: str = ""
    frames: tuple[Frame, ...] = ()


@dataclass(frozen=True, slots=True)
class Quote:
    """A line of a log that speaks for an answer."""

    place: LogPlace
    text: str
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Symptom:
    """What happened, as far as the logs tell; `kind` is explained by `knowledge/causes.yaml`."""

    kind: str
    failed: tuple[int, ...] = ()
    raised: Raised | None = None
    fact: Fact | None = None
    waits: tuple[Wait, ...] = ()
    absent: tuple[int, ...] = ()
    """The ranks of the job that neither wait nor failed, as far as the logs tell."""

    parting: Parting | None = None
    world: int | None = None
    exit_codes: tuple[tuple[int, int], ...] = ()
    """Ranks and the exit codes of their processes, where a launcher tells them."""

    quotes: tuple[Quote, ...] = ()
    others: tuple[Raised, ...] = ()
    """Further exceptions that may be what went wrong."""

    files: tuple[str, ...] = ()
    """Scripts that the logs name."""

    commands: tuple[tuple[str, ...], ...] = ()
    """The commands that started the processes, word by word."""


@dataclass(frozen=True, slots=True)
class _Event:
    """Something that may be what went wrong."""

    kind: str
    rank: int | None
    place: LogPlace
    moment: float | None
    raised: Raised | None = None
    fact: Fact | None = None


def symptom(log: Log) -> Symptom:
    """What happened."""
    world = _world(log)
    waits = tuple(_waits(log))
    found = parting(log.recordings)
    base = Symptom(
        "unknown",
        waits=waits,
        parting=found,
        world=world,
        exit_codes=tuple(_exit_codes(log)),
        files=tuple(_scripts(log)),
        commands=tuple(_commands(log)),
    )
    events = _closer(_ordered(log, list(_events(log))))
    if events and not _is_late(events[0], waits):
        return _failed(base, events, log)
    return _waiting(base, log)


# --- what failed first ------------------------------------------------------------------------------------------------


def _events(log: Log) -> Iterator[_Event]:
    """What may be what went wrong: exceptions that are not about communication, and lines that say so."""
    final = [each for each in log.raised if each.role == "root" and not each.led_to and not _was_handled(each, log)]
    roots = [fact for fact in log.facts if fact.role == "root"]
    taken: set[LogPlace] = set()
    for raised in final:
        kind, about = raised.kind, None
        for fact in roots:
            if _belongs(fact, raised):
                taken.add(fact.place)
                if not kind or kind in _GENERAL or (about is None and kind == fact.kind):
                    kind, about = fact.kind, fact
        yield _Event(kind or "exception", raised.rank, raised.place, raised.moment, raised, about)
    known = {(fact.place.file, fact.place.line) for fact in roots}
    for fact in roots:
        in_victim = any(_belongs(fact, raised) for raised in log.raised if raised.role == "notice")
        if fact.place not in taken and not in_victim and (fact.place.file, fact.place.line) in known:
            yield _Event(fact.kind, fact.rank, fact.place, fact.moment, None, fact)


def _was_handled(raised: Raised, log: Log) -> bool:
    """Whether the program went on after an exception: the same rank waited, and failed, later. Of one that has no
    frames, a time-out of its rank is enough: it may be a line that the program itself has printed.
    """
    later: list[tuple[int | None, LogPlace]] = [
        (each.rank, each.place) for each in log.raised if each.role == "victim" and each.frames
    ]
    if not raised.frames:
        later += [(fact.rank, fact.place) for fact in log.of("collective-timeout", "gloo-timeout", "barrier-missing")]
    elif raised.rank is None:
        return False
    return any(
        rank == raised.rank and place.file == raised.place.file and place.line > raised.place.line
        for rank, place in later
    )


def _belongs(fact: Fact, raised: Raised) -> bool:
    """Whether a line is part of the message of an exception."""
    if fact.place.file != raised.place.file or (fact.rank is not None and fact.rank != raised.rank):
        return False
    return 0 <= fact.place.line - raised.place.line <= _NEAR


def _ordered(log: Log, events: Sequence[_Event]) -> list[_Event]:
    """What came first, first. Times are compared where all tell one; else the lines of one log."""
    order = {name: index for index, name in enumerate(log.files)}

    def place(event: _Event) -> tuple[int, int]:
        return order.get(event.place.file, 0), event.place.line

    if all(event.moment is not None for event in events):
        return sorted(events, key=lambda event: (event.moment or 0.0, place(event)))
    first = _first_failed(log)
    return sorted(events, key=lambda event: (event.rank != first if first is not None else False, place(event)))


def _closer(events: list[_Event]) -> list[_Event]:
    """The same, led by what says more than a general message beside it."""
    if events and events[0].kind in _GENERAL:
        first = events[0].place
        for event in events[1:]:
            is_near = event.place.file == first.file and abs(event.place.line - first.line) <= _NEAR
            if is_near and event.kind not in (*_GENERAL, "exception"):
                return [event, *(each for each in events if each is not event)]
    return events


def _first_failed(log: Log) -> int | None:
    """The rank that the launcher saw fail first, if its process ended by an error of its own."""
    is_next = False
    for fact in log.facts:
        if fact.kind == "summary-root":
            is_next = True
        elif fact.kind == "summary-rank" and is_next:
            return fact.rank
    return None


def _is_late(event: _Event, waits: Sequence[Wait]) -> bool:
    """Whether it ended a job that had hung before."""
    return event.kind == "time-limit" and bool(waits)


def _failed(base: Symptom, events: Sequence[_Event], log: Log) -> Symptom:
    first = events[0]
    alike = [each for each in events if _signature(each) == _signature(first)]
    failed = tuple(sorted({each.rank for each in alike if each.rank is not None}))
    busy = {*failed, *(wait.rank for wait in base.waits if wait.rank is not None)}
    others = [each.raised for each in events if each.raised is not None and _signature(each) != _signature(first)]
    return replace(
        base,
        kind=first.kind,
        failed=failed,
        raised=first.raised,
        fact=first.fact,
        waits=tuple(wait for wait in base.waits if wait.rank is None or wait.rank not in failed),
        absent=_absent(base.world, busy),
        quotes=tuple(_quotes(first, base.waits)),
        others=tuple(_distinct(others)),
    )


def _signature(event: _Event) -> tuple[object, ...]:
    raised = event.raised
    if raised is None:
        return (event.kind,)
    last = raised.frames[-1] if raised.frames else None
    return event.kind, raised.exception, last and (last.file, last.line)


def _distinct(raised: Iterable[Raised]) -> Iterator[Raised]:
    seen: set[tuple[str, object]] = set()
    for each in raised:
        key = each.exception, each.frames[-1:]
        if key not in seen and len(seen) < _MOST_OTHERS:
            seen.add(key)
            yield each


_MOST_OTHERS = 5


def _quotes(event: _Event, waits: Sequence[Wait]) -> Iterator[Quote]:
    if event.raised is not None:
        yield Quote(event.raised.place, event.raised.text, event.rank)
    if event.fact is not None and (event.raised is None or event.fact.place != event.raised.place):
        yield Quote(event.fact.place, event.fact.text, event.fact.rank)


# --- who waits --------------------------------------------------------------------------------------------------------


_WAITING = ("collective-timeout", "gloo-timeout", "collective-mismatch", "peer-gone", "sizes-differ", "barrier-missing")


def _waits(log: Log) -> Iterator[Wait]:
    """Where ranks wait, each rank once: what tells the most of it."""
    found: dict[int | None, list[Wait]] = {}
    for wait in _all_waits(log):
        found.setdefault(wait.rank, []).append(wait)
    for rank, waits in sorted(found.items(), key=lambda item: -1 if item[0] is None else item[0]):
        if rank is None and len(found) > 1:
            continue
        best = waits[0]
        for wait in waits[1:]:
            best = replace(
                best,
                op=best.op or wait.op,
                sequence=best.sequence if best.sequence is not None else wait.sequence,
                numel=best.numel if best.numel is not None else wait.numel,
                frames=best.frames or wait.frames,
                group=best.group or wait.group,
            )
        yield best


def _all_waits(log: Log) -> Iterator[Wait]:
    for fact in log.of("collective-timeout"):
        yield Wait(fact.rank, fact.op, fact.place, fact.number("sequence"), fact.number("numel"))
    for raised in log.raised:
        if raised.role == "victim" and not raised.led_to:
            yield Wait(raised.rank, "", raised.place, frames=raised.frames)
    for fact in log.of("collective-mismatch"):
        yield Wait(fact.rank, fact.op, fact.place, fact.number("sequence"))
    for fact in log.of("gloo-timeout", "collective-progress"):
        yield Wait(fact.rank, "", fact.place, fact.number("sequence"), group=fact.values.get("group", ""))
    for raised in _interrupted(log):
        yield Wait(raised.rank, "", raised.place, frames=raised.frames)
    for stack in log.stacks:
        yield Wait(stack.rank, "", stack.place, frames=tuple(reversed(stack.frames)))
    for recording in log.recordings:
        pending = [entry for entry in recording.entries if entry.is_open and not entry.is_p2p]
        if pending:
            entry = pending[0]
            frames = tuple(reversed(entry.frames))
            yield Wait(entry.rank, entry.op, recording.place, entry.sequence, _numel(entry.sizes), entry.group, frames)


def _interrupted(log: Log) -> list[Raised]:
    """The tracebacks of ranks that somebody has stopped in a collective, as Ctrl-C does with a job that hangs."""
    return [
        each
        for each in log.raised
        if each.role == "teardown" and any(_COMMUNICATES.search(frame.file) for frame in each.frames[-6:])
    ]


_COMMUNICATES = re.compile(r"torch[/\\]distributed[/\\](?!run|elastic|launch)|horovod[/\\]|deepspeed[/\\]comm")


def _numel(sizes: Sequence[Sequence[int]]) -> int | None:
    total = 0
    for shape in sizes:
        count = 1
        for size in shape:
            count *= size
        total += count
    return total if sizes else None


def _waiting(base: Symptom, log: Log) -> Symptom:
    """A job in which nothing failed by itself."""
    waiting = {wait.rank for wait in base.waits if wait.rank is not None}
    missing = _named_absent(log)
    absent = missing or _absent(base.world, waiting)
    kind, fact = _kind_of_waiting(base, log, absent)
    ended = _ended_by_signal(log)
    if ended is not None and ended.rank not in waiting:
        kind, fact = ended.kind, ended.fact
        base = replace(base, failed=() if ended.rank is None else (ended.rank,))
        absent = _absent(base.world, {*waiting, *base.failed})
    quotes = [Quote(fact.place, fact.text, fact.rank)] if fact is not None else []
    quotes += [Quote(raised.place, raised.text, raised.rank) for raised in log.raised if raised.role == "victim"]
    if not quotes:
        quotes = [Quote(each.place, each.text, each.rank) for each in log.facts if each.role == "victim"]
    return replace(base, kind=kind, fact=fact, absent=absent, quotes=tuple(quotes[:_MOST_QUOTES]))


_MOST_QUOTES = 4


def _kind_of_waiting(base: Symptom, log: Log, absent: Sequence[int]) -> tuple[str, Fact | None]:
    for kind in ("collective-mismatch", "barrier-missing", "sizes-differ", "horovod-missing", "horovod-stall"):
        if facts := log.of(kind):
            return kind, facts[0]
    found = base.parting
    if found is not None and found.kind != "all":
        return f"recorder-{found.kind}", None
    timeouts = log.of("collective-timeout", "gloo-timeout")
    if base.waits and (timeouts or log.stacks or found is not None or _interrupted(log)):
        if _differ(base.waits):
            return "waits-differ", timeouts[0] if timeouts else None
        if not absent and base.world is not None and len(base.waits) >= base.world > 1 and _is_told_whole(base.waits):
            return "all-ranks-wait", timeouts[0] if timeouts else None
        return "ranks-missing", timeouts[0] if timeouts else None
    for kind in ("peer-gone", "store-timeout", "tf-peer-gone", "nccl-remote-error", "watchdog-stuck", "actor-died"):
        if facts := log.of(kind):
            return kind, facts[0]
    if timeouts := log.of("time-limit"):
        return "time-limit", timeouts[0]
    for kind in ("cancelled", "killed", "nccl-aborted"):
        if facts := log.of(kind):
            return kind, facts[0]
    return _by_exit_code(base, log)


_SIGNALS = {-9: "killed", -7: "bus-error", -11: "segmentation-fault"}


def _ended_by_signal(log: Log) -> _Event | None:
    """The process that failed first, as a launcher says, if a signal ended it."""
    is_first = False
    rank: int | None = None
    for fact in log.facts:
        code = _exit(fact)
        if fact.kind == "summary-root":
            is_first = True
        elif fact.kind == "summary-rank":
            rank = fact.rank
        elif fact.kind == "summary-exit" and is_first:
            kind = _SIGNALS.get(code or 0)
            return None if kind is None else _Event(kind, rank, fact.place, fact.moment, None, fact)
    for fact in log.of("launcher-exit", "process-exit"):
        kind = _SIGNALS.get(_exit(fact) or 0)
        local = _LOCAL_RANK.search(fact.values.get("argv", "")) or _DIGITS.fullmatch(fact.values.get("local_rank", ""))
        if kind is not None:
            return _Event(kind, int(local[1]) if local else None, fact.place, fact.moment, None, fact)
    return None


_LOCAL_RANK = re.compile(r"--local[_-]rank=(\d{1,6})")
_DIGITS = re.compile(r"(\d{1,6})")


def _by_exit_code(base: Symptom, log: Log) -> tuple[str, Fact | None]:
    codes = [code for _, code in base.exit_codes]
    codes += [
        code for fact in log.of("process-exit", "launcher-exit", "task-exit") if (code := _exit(fact)) is not None
    ]
    told = {code if code < 128 else 128 - code for code in codes} - {0, -15}
    facts = log.of("process-exit", "launcher-exit", "summary-exit", "task-exit")
    for code, kind in ((-9, "killed"), (-7, "bus-error"), (-11, "segmentation-fault"), (2, "usage-error")):
        if code in told:
            return kind, next((fact for fact in facts if _exit(fact) in (code, 128 - code)), None)
    if told:
        return "ended-without-reason", facts[0] if facts else None
    return "unknown", None


def _exit(fact: Fact) -> int | None:
    return _OF_SIGNALS.get(fact.values.get("name", ""), fact.number("exit_code"))


_OF_SIGNALS = {"Killed": -9, "Bus error": -7, "Segmentation fault": -11, "Aborted": -6, "Terminated": -15}
"""The exit codes of processes that signals ended, by what launchers and shells call that."""


def _differ(waits: Sequence[Wait]) -> bool:
    """Whether ranks wait in different collectives."""
    at = {(wait.sequence, wait.op) for wait in waits if wait.sequence is not None and wait.op}
    if len({op for _, op in at}) > 1 and len({sequence for sequence, _ in at}) == 1:
        return True
    calls = {_own_line(wait.frames) for wait in waits if wait.frames}
    return len(calls) > 1


def _is_told_whole(waits: Sequence[Wait]) -> bool:
    """Whether it is known of all of them that they wait in the same collective."""
    return len({(wait.sequence, wait.op) for wait in waits}) == 1 and waits[0].sequence is not None


def _own_line(frames: Sequence[Frame]) -> tuple[str, int] | None:
    return next(((each.file, each.line) for each in reversed(frames) if not is_library(each.file)), None)


_LIBRARY = ("site-packages/", "dist-packages/", "lib/python3", "<frozen ", "<string>", "torch/distributed/")


def is_library(file: str) -> bool:
    """Whether a file of a frame is that of an installed package or of Python."""
    return any(part in file.replace("\\", "/") for part in _LIBRARY)


# --- the job ----------------------------------------------------------------------------------------------------------


def _world(log: Log) -> int | None:
    """How many ranks the job has, as far as the logs tell."""
    told = [size for fact in log.of("world-size") if (size := fact.number("size")) is not None and size < _MOST_WORLD]
    if told:
        return Counter(told).most_common(1)[0][0]
    ranks = set(log.ranks)
    ranks |= {fact.rank for fact in log.of("summary-rank", "collective-timeout") if fact.rank is not None}
    ranks |= {
        rank for fact in log.of("horovod-missing", "collective-mismatch", "barrier-missing") for rank in fact.peers
    }
    ranks |= {rank for recording in log.recordings for group in recording.groups.values() for rank in group}
    return max(ranks) + 1 if ranks and max(ranks) > 0 else None


def _named_absent(log: Log) -> tuple[int, ...]:
    """The ranks that the log says are missing."""
    facts = log.of("barrier-missing", "horovod-missing")
    return tuple(sorted({rank for fact in facts for rank in fact.peers}))


def _absent(world: int | None, busy: set[int]) -> tuple[int, ...]:
    if world is None or not busy or world > _MOST_WORLD:
        return ()
    return tuple(rank for rank in range(world) if rank not in busy)


def _exit_codes(log: Log) -> Iterator[tuple[int, int]]:
    rank: int | None = None
    seen: set[int] = set()
    for fact in log.facts:
        if fact.kind == "summary-rank":
            rank = fact.rank
        elif fact.kind == "summary-exit" and rank is not None and rank not in seen:
            code = _exit(fact)
            seen.add(rank)
            if code is not None:
                yield rank, code


def _commands(log: Log) -> Iterator[tuple[str, ...]]:
    """The commands that started the processes, as the logs tell, word by word."""
    seen: dict[tuple[str, ...], None] = {}
    for fact in (*log.of("launcher-exit"), *log.of("launch-command")):
        argv = fact.values.get("argv", "")
        listed = [one or other for one, other in _LISTED.findall(argv)] if argv.startswith("[") else _words(argv)
        seen[tuple(listed)] = None
    yield from seen


def _words(command: str) -> list[str]:
    """The words of a shell command; those between blanks, where its quotes are not closed."""
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


_LISTED = re.compile(r"""'([^']*)'|"([^"]*)\"""")


def _scripts(log: Log) -> Iterator[str]:
    """Scripts that were launched, as the logs tell."""
    seen: dict[str, None] = {}
    for fact in log.of("launched-script"):
        seen[fact.values["script"]] = None
    for command in _commands(log):
        script = script_of(command)
        if script is not None:
            seen[script] = None
    yield from seen


def script_of(command: Sequence[str]) -> str | None:
    """The script that a command starts: the first word that names one."""
    return next((word for word in command if word.endswith(".py")), None)
