"""Finds contexts that shard the parameters of a model which nothing gathers later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    NONE,
    Engine,
    Evidence,
    Finding,
    Object,
    RunView,
    called_name,
    engines,
    named,
    objects,
    objects_in,
    with_fix,
)
from ddl_lint_rules.data_and_model.deepspeed_zero_init_stage_mismatch.fix import fix


def check(run: RunView) -> Iterable[Finding]:
    """One finding per context."""
    for engine in engines(run):
        for context in dict.fromkeys(_built_in(run, engine)):
            if context.traits.get("splits_in_vain") and not engine.has("sharded"):
                call = named("zero.Init", called_name, run, context.location)
                finding = Finding(
                    f"`{call}` partitions the parameters, but below ZeRO stage 3 nothing gathers them again",
                    context.location,
                    (Evidence("the engine is created here, below stage 3", engine.wrap.location),),
                )
                yield with_fix(finding, fix, run, context)


def _built_in(run: RunView, engine: Engine) -> Iterator[Object]:
    """The contexts in which the model of an engine is made."""
    for model in objects(engine.wrap.model, "model"):
        yield from objects_in(model.given.get("made_in", NONE))
