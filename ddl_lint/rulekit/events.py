"""The kinds of events: `run.events(BuildOptimizer)` gives those of a run, `event.learning_rate` what one is given."""

from __future__ import annotations

from ddl_lint.program.event_types import *  # noqa: F403
