"""Finds ranks that make different calls at the same point, or the same calls in different order."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Claim,
    Confidence,
    Const,
    Context,
    Evidence,
    Finding,
    Items,
    Location,
    RunView,
    TimelineStep,
    Value,
    divergence_finding,
    found_divergences,
    join,
    loops,
    match,
    parts,
    publish,
    timeline_of,
    with_fix,
)
from ddl_lint_rules.hangs_and_performance.collective_order_differs.fix import fix, sort

__all__ = ["check", "join", "publish"]


def check(run: RunView) -> Iterable[Finding]:
    """One finding per pair of arms, and per loop over a set."""
    for found in found_divergences(run):
        if found.divergence.kind == "order":
            yield with_fix(divergence_finding(run, found), fix, run, found)
    over_sets: dict[Location, tuple[Context, TimelineStep]] = {}
    for step in timeline_of(run).steps:
        loop = _loop_over_set(step)
        if loop is not None:
            over_sets.setdefault(loop.location, (loop, step))
    for loop, step in over_sets.values():
        yield _over_set(run, loop, step)


def _loop_over_set(step: TimelineStep) -> Context | None:
    """The loop that exchanges something for each element of a set. At a barrier nothing is mixed up: the processes make
    as many, whatever the order.
    """
    if step.event is None or step.opaque or step.operation == "barrier":
        return None
    return next((loop for loop in loops(step.context) if _is_set(loop)), None)


def _over_set(run: RunView, loop: Context, step: TimelineStep) -> Finding:
    """Each process goes over the set in an order of its own."""
    message = Claim(
        f"`{step.name}` runs in the order of a set, which differs between processes, "
        "so ranks exchange different elements",
        "wrong-result",
    )
    confidence = None if _holds_text(loop.value) else Confidence.MEDIUM
    evidence = (Evidence("the loop over the set is here", loop.location),)
    help = "Loop over the set in sorted order: `sorted(...)`."
    finding = Finding(message, step.location, evidence, confidence=confidence, help=help)
    return with_fix(finding, sort, run, loop, _is_all_text(loop.value))


def _is_set(loop: Context) -> bool:
    """Whether a loop surely goes over a set whose order depends on the process; that of numbers does not."""
    if loop.value is None:
        return False
    value = loop.value
    while (source := match.enumerated(value) or match.listed(value)) is not None:
        value = source
    if isinstance(value, Items) and value.kind == "set":
        return not value.items or not all(map(_is_number, value.items))
    return match.set_of(value) is not None and not any(match.range_of(part) is not None for part in parts(value))


def _holds_text(value: Value | None) -> bool:
    """Whether the elements are surely text, of which each process has hashes of its own."""
    return value is not None and any(isinstance(part, Const) and isinstance(part.value, str) for part in parts(value))


def _is_all_text(value: Value | None) -> bool:
    """Whether the elements are surely text and nothing else, which can be sorted."""
    while (source := match.enumerated(value) or match.listed(value) or match.set_of(value)) is not None:
        value = source
    if not isinstance(value, Items) or value.open or not value.items:
        return False
    return all(isinstance(item, Const) and isinstance(item.value, str) for item in value.items)


def _is_number(value: Value) -> bool:
    return isinstance(value, Const) and isinstance(value.value, (int, float))
