"""Finds dicts that all ranks average key by key, and that have other keys on some ranks."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.rulekit import Alternatives, Finding, RunView, Table, Value, depends_on_rank, is_constant
from ddl_lint.rulekit.events import LogMetric


def logged_keys(run: RunView) -> Iterator[Finding]:
    """One finding per call that logs a dict of which the keys depend on the rank."""
    for event in run.events(LogMetric):
        if not is_constant(event.synchronized, True) or event.collective_when is None:
            continue
        value = event.value
        if isinstance(value, Alternatives) and _differ_by_rank(value):
            yield Finding(
                "the ranks log different keys here; each key is averaged over all ranks, and some never send it",
                event.location,
                help="Log the same keys on all ranks, or pass `rank_zero_only=True` without `sync_dist=True`.",
                unfixable="what the other ranks should log is for you to say",
            )


def _differ_by_rank(value: Alternatives) -> bool:
    keys = [_keys(option) for _, option in value.options]
    by_rank = any(depends_on_rank(condition) for labels, _ in value.options for condition, _ in labels)
    return by_rank and None not in keys and len(set(keys)) > 1


def _keys(value: Value) -> frozenset[Value] | None:
    """The keys of a dict; None where more may come."""
    return frozenset(key for key, _ in value.items) if isinstance(value, Table) and not value.open else None
