"""What is before the text of a line: the rank that says it, the time, colours, what collectors of logs put there."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_HEAD = re.compile(
    r"\[rank(?P<rank>\d{1,6})\]: ?"
    r"|\[(?P<role>[A-Za-z]\w{0,30}?)(?P<local>\d{1,6})\]: ?"
    r"|\[(?P<global>\d{1,6})\](?:<std(?:out|err)>)?: ?"  # Horovod, and mpirun's --tag-output without its job
    r"|\[\d+,(?P<mpi>\d{1,6})\]<std(?:out|err|diag)>: ?"
    r"|(?:std(?:out|err)): ?"
    r"|\((?P<actor>[\w.]{1,80})(?:\([\w.]*\))? (?:pid=\d+|rank=(?P<ray>\d{1,6}))[^)]{0,80}\) ?"
    r"|(?P<date>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?) (?:std(?:out|err) [FP] )?"
    r"|\[pod/[^\]]{1,200}\] "
)
_TASK = re.compile(r"\s*(\d{1,6}): ")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T _](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?")
_GLOG = re.compile(r"\b[IWEF](\d{1,2})(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?")
_MOST_HEADS = 5


@dataclass(frozen=True, slots=True)
class Line:
    """A line without what is before it. `speaker` tells lines of one process from those of others."""

    text: str
    rank: int | None
    local_rank: int | None
    task: int | None
    moment: float | None

    @property
    def speaker(self) -> tuple[int | None, int | None, int | None]:
        """Who says it, as far as the line tells."""
        return self.rank, self.local_rank, self.task


def without_colours(text: str) -> str:
    """A line without what acts on a terminal."""
    return _ANSI.sub("", text) if "\x1b" in text else text


def taken_apart(raw: str, *, by_task: bool = False) -> Line:
    """A line, taken apart.

    Args:
        raw: The line.
        by_task: Whether the lines of this log begin with the number of a task, as `srun --label` has it.
    """
    text = without_colours(raw)
    text = text.removeprefix("^C")  # what a terminal shows of Ctrl-C
    if text.startswith('{"log":'):
        text = _of_container(text)
    moment = moment_in(text[:200])
    rank = local = task = None
    if by_task and (labelled := _TASK.match(text)):
        task, text = int(labelled[1]), text[labelled.end() :]
    for _ in range(_MOST_HEADS):
        head = _HEAD.match(text)
        if head is None:
            break
        if head["rank"] or head["ray"]:
            rank = int(head["rank"] or head["ray"])
        elif head["local"]:
            local = int(head["local"])
        elif head["global"] or head["mpi"]:
            task = int(head["global"] or head["mpi"])
        text = text[head.end() :]
    return Line(text, rank, local, task, moment)


def labels_tasks(sample: str) -> bool:
    """Whether the lines of a log begin with the number of a task: most of its first lines do."""
    lines = [line for line in map(without_colours, sample.splitlines()[:200]) if line.strip()]
    labelled = sum(_TASK.match(line) is not None for line in lines)
    return len(lines) >= 3 and labelled >= 0.6 * len(lines)


def moment_in(text: str) -> float | None:
    """The first time that a text tells, in seconds of an unknown year: what is earlier is less."""
    if found := _DATE.search(text):
        _, *parts, fraction = found.groups()
    elif found := _GLOG.search(text):
        *parts, fraction = found.groups()
    else:
        return None
    month, day, hour, minute, second = map(int, parts)
    return ((((month * 31 + day) * 24 + hour) * 60 + minute) * 60) + second + float(f"0.{fraction or 0}")


def _of_container(text: str) -> str:
    """The line that a container runtime has wrapped in JSON."""
    try:
        found: Any = json.loads(text)
        return str(found["log"]).rstrip("\n")
    except (ValueError, KeyError, TypeError, RecursionError):
        return text
