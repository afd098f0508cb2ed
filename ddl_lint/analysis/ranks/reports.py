"""What the libraries print on a rank that waits forever for others, as the models say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ddl_lint.analysis.queries.backends import backends
from ddl_lint.analysis.ranks.divergence import Divergence
from ddl_lint.analysis.ranks.timeline import TimelineStep
from ddl_lint.analysis.view import RunView
from ddl_lint.frameworks.model import Backend
from ddl_lint.program.event_types import InitProcessGroup
from ddl_lint.program.trace import Event
from ddl_lint.program.values import NONE

_NAME = re.compile(r"[^:,]+")
"""A name in `cpu:gloo,cuda:nccl`."""


@dataclass(frozen=True, slots=True)
class Report:
    """What one backend prints on a rank that waits; `seconds` is how long that takes, 0 where the program chooses."""

    backend: str
    text: str
    seconds: int = 0


def reports(run: RunView, divergence: Divergence) -> tuple[Report, ...]:
    """What is printed when the ranks part as they do here; nothing where no model tells."""
    if divergence.step.exit is None:
        return reports_at(run, divergence.step, divergence.reaching.first.rank)
    if divergence.next_iteration is None:
        return ()
    return reports_at(run, divergence.next_iteration, divergence.lacking.first.rank)


def reports_at(run: RunView, step: TimelineStep, rank: int | None = None) -> tuple[Report, ...]:
    """What is printed on a rank that waits forever at a step; it may be any rank."""
    if step.event is None:
        return ()
    told = (_report(name, backend, step, rank, run) for name, backend in _backends(run, step.event))
    return tuple(report for report in told if report is not None)


def _backends(run: RunView, event: Event) -> Iterator[tuple[str, Backend]]:
    """What may carry the messages of a call: what the program names, else what its framework takes."""
    inits = run.events(InitProcessGroup)
    frameworks = {run.api.framework(each.api) for each in ([event] if event.api else inits)}
    fitting = {name: each for name, each in run.api.backends.items() if frameworks.intersection(each.carries)}
    named = {part for init in inits for name in backends(init) for part in _NAME.findall(name)}
    own = run.api.group_of(event.api)  # such a framework takes none of the program's groups
    chosen = [name for name in fitting if name in named] if named and not own else list(fitting)[:1]
    yield from ((name, fitting[name]) for name in chosen)


def _report(name: str, backend: Backend, step: TimelineStep, rank: int | None, run: RunView) -> Report | None:
    event = step.event
    assert event is not None
    joins = event.kind == "init_process_group"
    text = backend.joining if joins else backend.waiting
    if not text:
        return None
    seconds = 0 if _chooses_patience(run) else backend.patience
    operation = backend.operations.get(step.operation) or backend.operations.get(step.name) or "..."
    who = "..." if rank is None else rank
    shown = {"rank": who, "operation": operation, "seconds": seconds or "...", "milliseconds": seconds * 1000 or "..."}
    for hole, value in shown.items():
        text = text.replace(f"{{{hole}}}", str(value))
    return Report(name, text, seconds)


def _chooses_patience(run: RunView) -> bool:
    return any(event.operands.get("timeout", NONE) != NONE for event in run.events(InitProcessGroup))
