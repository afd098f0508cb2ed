"""Finds settings of a trainer that ask for two kinds of half precision at once."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Finding, RunView, objects
from ddl_lint.rulekit.events import Delegate


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call that makes such settings."""
    seen: set[object] = set()
    for event in run.events(Delegate):
        if event.location not in seen and any(made.traits.get("two_precisions") for made in objects(event.result)):
            seen.add(event.location)
            yield Finding(
                "`fp16` and `bf16` are both on, but only one of them can be used",
                event.location,
                unfixable="cannot tell which of the two is meant",
            )
