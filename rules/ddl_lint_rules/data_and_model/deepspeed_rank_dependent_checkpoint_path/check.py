"""Finds checkpoints of an engine that each rank writes to another place."""

from __future__ import annotations

from collections.abc import Iterable

from ddl_lint.rulekit import (
    LOCAL_TAGS,
    RANDOM,
    RANK_TAGS,
    TIME,
    Alternatives,
    Event,
    Finding,
    Rank,
    RunView,
    Unknown,
    Value,
    called_name,
    engines,
    is_call,
    named,
    parts,
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
                    f"{reason}, so `{call}` scatters the parts of one checkpoint",
                    save.location,
                )


def _reason(save: Event) -> str:
    for role, word in (("path", "directory"), ("tag", "tag")):
        if role not in save.operands:
            continue
        if any(map(_is_of_rank, parts(save.operands[role]))):
            return f"the {word} contains the rank"
        tags = tags_of(save.operands[role])
        if tags & (LOCAL_TAGS & {TIME, RANDOM}):
            return f"each rank makes up its own {word}"
    return ""


def _is_of_rank(part: Value) -> bool:
    """Whether it is the rank, or one of several known things among which the rank chooses: what ranks have read
    elsewhere may still be the same.
    """
    if isinstance(part, Alternatives):
        return bool(tags_of(part) & RANK_TAGS) and not any(isinstance(each, Unknown) for each in parts(part))
    return isinstance(part, Rank)
