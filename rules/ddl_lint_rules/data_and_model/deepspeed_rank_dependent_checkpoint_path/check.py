"""Finds checkpoints of an engine that each rank writes to another place."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    LOCAL_TAGS,
    NO_TAGS,
    RANDOM,
    RANK_TAGS,
    TIME,
    Event,
    Finding,
    RunView,
    called_name,
    engines,
    is_call,
    named,
    tags_of,
)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    for engine in engines(run):
        for save in run.events("save_sharded"):
            reason = "" if engine.has("node_storage") or not is_call(engine, save) else _reason(save)
            if reason:
                call = named("save_checkpoint", called_name, run, save.location)
                yield Finding(
                    f"Data loss: {reason}, so `{call}` scatters the parts of one checkpoint",
                    save.location,
                )


def _reason(save: Event) -> str:
    for role, word in (("path", "directory"), ("tag", "tag")):
        tags = tags_of(save.operands[role]) if role in save.operands else NO_TAGS
        if tags & RANK_TAGS:
            return f"the {word} contains the rank"
        if tags & (LOCAL_TAGS & {TIME, RANDOM}):
            return f"each rank makes up its own {word}"
    return ""
