"""Finds gradients that are clipped where an engine keeps the real ones to itself."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    Evidence,
    Finding,
    RunView,
    called_name,
    engine_events,
    engines,
    may_drive,
    named,
    of_engine,
    same_iteration,
    with_fix,
)
from ddl_lint.rulekit.events import Backward, ClipGradients
from ddl_lint_rules.training.deepspeed_manual_clip_grad.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    for engine in engines(run):
        backwards = engine_events(run, engine, Backward)
        for clip in run.events(ClipGradients):
            if (
                engine.has("hides_gradients")
                and may_drive(run, engine, clip)
                and of_engine(engine, clip.parameters, clip.context)
                and same_iteration(clip, backwards)
            ):
                call = named("clip", called_name, run, clip.location)
                finding = Finding(
                    f"`{call}` clips nothing, because the engine holds the gradients",
                    clip.location,
                    (
                        Evidence(
                            "the engine is created here, with buffers of its own for gradients", engine.wrap.location
                        ),
                    ),
                )
                yield with_fix(finding, fix, run, engine, clip)
