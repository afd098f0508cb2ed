"""The answer to a log: what happened, to which ranks, where they parted, what to do, and how sure that is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ddl_lint.diagnose.candidates import Candidate
from ddl_lint.diagnose.causes import Blame, Cause, to_collect
from ddl_lint.diagnose.facts import Entry, Frame, Log, spelled
from ddl_lint.diagnose.symptom import Quote, Symptom, Wait, is_library
from ddl_lint.source import Document

Certainty: TypeAlias = Literal["sure", "likely", "possible", "where", "cannot tell"]
"""The log leads to the line, and a rule finds the fault there without it; one of the two; something speaks for it;
the log tells the line and nothing tells why; nothing does."""


@dataclass(frozen=True, slots=True)
class RankLine:
    """What some ranks did."""

    ranks: tuple[int, ...]
    text: str
    source: str = ""
    """Where the log says so."""


@dataclass(frozen=True)
class Answer:
    """What became of a job."""

    kind: str
    """Such as `ranks-missing`: a kind of `knowledge/causes.yaml`."""

    sentence: str
    blame: Blame
    certainty: Certainty
    because: tuple[str, ...]
    """What speaks for it, and what is missing."""

    ranks: tuple[RankLine, ...]
    candidates: tuple[Candidate, ...]
    """The lines of the code that may be the cause, the likeliest first."""

    look: tuple[str, ...]
    """What to look at where no line is the answer."""

    collect: tuple[str, ...]
    """What to collect in the next run."""

    quotes: tuple[Quote, ...]
    others: tuple[str, ...] = ()
    """Other failures in the log."""

    rules: tuple[str, ...] = ()
    """Rules whose pages speak of this."""

    problems: tuple[str, ...] = ()
    """What could not be read."""

    documents: Mapping[str, Document] = field(default_factory=dict[str, Document])
    root: str = ""
    """The folder of the code."""

    lines: int = 0
    files: int = 0
    job: str = ""
    """The launch that the logs are of, such as `train.sbatch:13`, where that is known."""

    @property
    def first(self) -> Candidate | None:
        """The likeliest line."""
        return self.candidates[0] if self.candidates else None


def holes_of(symptom: Symptom) -> dict[str, str]:
    """What sentences may say of a symptom."""
    fact, raised, parting = symptom.fact, symptom.raised, symptom.parting
    holes: dict[str, str] = dict(fact.values) if fact is not None else {}
    if fact is not None and fact.rank is not None:
        holes.setdefault("failed", spelled([fact.rank]))
        holes["failed_numbers"] = str(fact.rank)
    if symptom.failed:
        holes["failed"] = spelled(symptom.failed)
    waiting = [wait.rank for wait in symptom.waits if wait.rank is not None]
    if waiting:
        holes["waits"] = spelled(waiting)
    if symptom.absent:
        holes["absent"] = spelled(symptom.absent)
    if raised is not None:
        holes["exception"] = raised.exception
    if not holes.get("op"):
        holes["op"] = next((op for wait in symptom.waits if (op := wait.op or _called(wait))), "")
    if symptom.kind == "waits-differ":
        holes.update(_of_two(symptom.waits))
    if symptom.world is not None:
        holes.setdefault("size", str(symptom.world))
    if holes.get("limit_ms", "").isdigit():
        holes["limit"] = _time(int(holes["limit_ms"]))
    if parting is not None and symptom.kind.startswith("recorder-"):
        holes.update(_of_parting(parting.entries, parting.missing + parting.silent))
        holes.update(group=parting.group or "0", sequence=str(parting.sequence))
    return {name: _short(value) for name, value in holes.items()}


def _of_parting(entries: Sequence[Entry], missing: Sequence[int]) -> Iterator[tuple[str, str]]:
    first = entries[0].op
    other = next((entry.op for entry in entries if entry.op != first), "")
    yield "op", first
    if other:
        yield "peer_op", other
        yield "failed", spelled(entry.rank for entry in entries if entry.op == first)
        yield "absent", spelled(entry.rank for entry in entries if entry.op != first)
        return
    yield "waits", spelled(entry.rank for entry in entries if entry.is_open)
    if missing:
        yield "absent", spelled(missing)


def _of_two(waits: Sequence[Wait]) -> Iterator[tuple[str, str]]:
    """What two sets of ranks wait in, if it is two."""
    found: dict[str, list[int]] = {}
    for wait in waits:
        if wait.rank is not None:
            found.setdefault(wait.op or _called(wait), []).append(wait.rank)
    if len(found) == 2 and "" not in found:
        (op, failed), (peer_op, absent) = found.items()
        yield from (("op", op), ("failed", spelled(failed)), ("peer_op", peer_op), ("absent", spelled(absent)))


def _called(wait: Wait) -> str:
    """The collective that a rank waits in: the innermost function of a library that is no helper, else the last call
    on the line of the code.
    """
    for frame in reversed(wait.frames):
        if not is_library(frame.file):
            calls = _CALL.findall(frame.source)
            return calls[-1] if len(calls) == 1 else ""
        if frame.function and not frame.function.startswith(_HELPERS):
            return frame.function
    return ""


_HELPERS = ("_", "<", "wrapper", "wait", "synchronize", "inner", "decorate", "new_func", "func")
_CALL = re.compile(r"(\w+)\(")


def _time(milliseconds: int) -> str:
    seconds = milliseconds // 1000
    return f"{seconds // 60} minutes" if seconds >= 120 and seconds % 60 == 0 else f"{seconds} seconds"


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 80 else f"{plain[:79]}…"


def rank_lines(symptom: Symptom) -> Iterator[RankLine]:
    """Which ranks did what, as far as the log tells."""
    raised = symptom.raised
    if raised is not None:
        yield RankLine(symptom.failed, f"failed with {raised.short}", _frame_of(raised.frames))
    grouped: dict[tuple[str, str], list[int]] = {}
    for wait in symptom.waits:
        what = f"waited in `{op}`" if (op := wait.op or _called(wait)) else "waited for other ranks"
        what += f", collective {wait.sequence}" if wait.sequence is not None else ""
        grouped.setdefault((what, _frame_of(wait.frames)), []).extend([] if wait.rank is None else [wait.rank])
    for (what, source), ranks in list(grouped.items())[:_MOST_LINES]:
        yield RankLine(tuple(sorted(ranks)), what, source)
    parting = symptom.parting
    known = {*parting.silent, *(entry.rank for entry in parting.before)} if parting is not None else set[int]()
    if absent := tuple(rank for rank in symptom.absent if rank not in known):
        codes = dict(symptom.exit_codes)
        ended = {codes[rank] for rank in absent if rank in codes}
        how = f"; the launcher says exit code {ended.pop()}" if len(ended) == 1 else ""
        yield RankLine(absent, f"said nothing about it{how}")
    if parting is not None and parting.silent:
        yield RankLine(parting.silent, "left no flight recorder, which a rank that has failed or ended does")
    if parting is not None:
        for entry in parting.before[:_MOST_LINES]:
            yield RankLine((entry.rank,), f"had come to `{entry.op}`, collective {entry.sequence}", _frame_of(
                tuple(reversed(entry.frames))))  # fmt: skip


_MOST_LINES = 8


def _frame_of(frames: Sequence[Frame]) -> str:
    own = [each for each in frames if not is_library(each.file)]
    if not own:
        return ""
    name = own[-1].file.replace("\\", "/").rpartition("/")[2]
    return f"{name}:{own[-1].line}"


def certainty(symptom: Symptom, cause: Cause, found: Sequence[Candidate]) -> Certainty:
    """How sure the first of some candidates is the cause."""
    if not found:
        if symptom.raised is not None and _frame_of(symptom.raised.frames):
            return "where"
        return "likely" if cause.blame in ("job", "machine") and symptom.kind not in _DOUBTED else "cannot tell"
    first = found[0]
    if first.reason == "waits":
        return "cannot tell"
    if first.reason == "silent":
        return "possible"
    if first.reason == "finding":
        is_doubted = first.finding is not None and bool(first.finding.doubt)
        if first.by_frame and first.score >= 95 and not first.spot.moved and not is_doubted:
            return "sure"
        if _rivals(found):
            return "possible"
        return "likely" if first.by_frame or first.score >= _LIKELY else "possible"
    if first.reason == "raised":
        return "where"
    return "possible"


def _rivals(found: Sequence[Candidate]) -> int:
    """How many other findings fit as well as the first, to which no frame leads."""
    first = found[0]
    if first.by_frame:
        return 0
    return sum(each.reason == "finding" and each.score > first.score - _CLOSE for each in found[1:])


_CLOSE = 12
_LIKELY = 60
_DOUBTED = ("all-ranks-wait", "recorder-all", "nccl-system-error", "cancelled")


def blame(cause: Cause, found: Sequence[Candidate], sure: Certainty) -> Blame:
    """Where the fault is to be looked for: where a rule is likely to find it; else as the kind of failure says."""
    first = found[0] if found else None
    if first is None or first.reason != "finding" or sure not in ("sure", "likely"):
        return cause.blame
    return "code" if first.spot.path.endswith((".py", ".ipynb")) else "launch"


def because(
    symptom: Symptom, cause: Cause, found: Sequence[Candidate], log: Log, job: str, *, has_code: bool
) -> Iterator[str]:
    """What speaks for the answer, and what is missing."""
    first = found[0] if found else None
    if first is not None:
        yield from (_sentence(reason) for reason in first.why)
        if rivals := _rivals(found):
            others = "One other finding fits" if rivals == 1 else f"{rivals} other findings fit"
            yield f"{others} the log as well: nothing in it decides between them."
        if first.spot.moved:
            yield "The code has changed since this log: the line that the log shows is at another place now."
        if first.finding is not None and first.finding.doubt:
            yield _sentence(f"the check has a doubt about this finding: {first.finding.doubt}")
    if job:
        yield f"The job is launched at {job}: findings that this launch does not meet are left out."
    if not has_code:
        yield "No code was looked at: give its folder with `--code`."
    elif first is None and cause.blame in ("code", "unknown") and cause.waits:
        yield "The code gives no reason: no rule finds a fault that fits, and no frame of the log is in this folder."
    elif first is None and symptom.raised is not None and not cause.waits:
        yield (
            "No frame of the traceback is in this folder: give that of the code with `--code`."
            if symptom.raised.frames
            else "The log has the exception without its frames, so nothing tells which line raised it."
        )
    if first is not None and first.reason == "waits" and cause.waits:
        yield "The code gives no reason why a rank should miss this call: look at the machine, too."
    if cause.waits and not any(wait.frames for wait in symptom.waits):
        yield "The log has no Python frames of the ranks that wait, so the call is inferred from its kind."
    if symptom.world is None and cause.waits:
        yield "The log does not tell how many ranks there are."
    is_explained = first is not None and first.finding is not None and first.by_frame
    if not log.recordings and cause.waits and symptom.absent and not is_explained:
        yield f"Nothing in the log tells where {spelled(symptom.absent)} went."


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def to_do_next(symptom: Symptom, cause: Cause, log: Log) -> tuple[str, ...]:
    """What to collect in the next run, beside what is there already."""
    known = to_collect()
    has_frames = symptom.raised is not None and bool(symptom.raised.frames)
    there = {"record": has_frames, "recorder": bool(log.recordings), "stacks": bool(log.stacks)}
    return tuple(known[name] for name in cause.next if not there.get(name))
