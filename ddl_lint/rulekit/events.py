"""The kinds of events: `run.events(BuildOptimizer)` returns those of a run, `event.learning_rate` a value of one."""

from __future__ import annotations

from ddl_lint.program.event_types import *  # noqa: F403
