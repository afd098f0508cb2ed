"""Finds models that all workers save to one path."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    RANK_TAGS,
    Evidence,
    Finding,
    RunView,
    argument_text,
    follows,
    objects,
    rank_guards,
    shown,
    strategies,
    tags_of,
)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place."""
    made = strategies(run, "configures_collectives")
    for save in run.events("save") if made else ():
        path = save.operands.get("path")
        models = objects(save.operands.get("object"), "model")
        if path is None or not models or not tags_of(path).isdisjoint(RANK_TAGS) or rank_guards(save.context):
            continue
        if follows(made[0], save):
            path = shown("this path", argument_text, run, save, "path")
            message = f"Data loss: all workers write {path} at the same time; each needs a path of its own"
            yield Finding(message, save.location, (Evidence("the strategy is created here", made[0].location),))
