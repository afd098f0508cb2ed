"""Finds strategies for several workers that come too late."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, RunView, follows, strategies


def check(run: RunView) -> Iterable[Finding]:
    """One finding per strategy."""
    for made in strategies(run, "configures_collectives"):
        for event in run.providers("runtime"):
            if event is not made and event.location != made.location and follows(event, made):
                message = f"Crash: `{made.api.rpartition('.')[2]}` is created after TensorFlow has been initialized"
                yield Finding(message, made.location, (Evidence("TensorFlow is initialized here", event.location),))
                break
