"""Finds gradients that are clipped where an engine keeps the real ones to itself."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import Evidence, Finding, RunView, engines, in_turn, meets, of_engine, own, with_fix
from ddl_lint_rules.training.deepspeed_manual_clip_grad.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    for engine in engines(run):
        backwards = own(run, engine, "backward")
        for clip in run.events("clip_gradients"):
            if (
                engine.has("hides_gradients")
                and meets(run, engine, clip)
                and of_engine(engine, clip.operands.get("parameters"), clip.context)
                and in_turn(clip, backwards)
            ):
                finding = Finding(
                    "the parameters have no gradients here, the engine keeps them: the norm is 0, and nothing is "
                    "clipped",
                    clip.location,
                    (Evidence("the engine is made here", engine.wrap.location),),
                )
                yield with_fix(finding, fix, run, engine, clip)
