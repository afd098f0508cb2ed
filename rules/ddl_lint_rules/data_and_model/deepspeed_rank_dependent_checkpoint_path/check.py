"""Finds checkpoints of an engine that each rank writes to another place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    LOCAL_TAGS,
    NONE,
    RANDOM,
    RANK_TAGS,
    TIME,
    Alternatives,
    Event,
    Evidence,
    Finding,
    Location,
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
from ddl_lint.rulekit.events import SaveSharded


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call."""
    for engine in engines(run):
        for save in run.events(SaveSharded):
            reason = "" if engine.has("node_storage") or not is_call(engine, save) else _reason(save)
            if reason:
                call = named("save_checkpoint", called_name, run, save.location)
                yield Finding(
                    f"{reason}, so `{call}` scatters the parts of one checkpoint",
                    save.location,
                    tuple(_made_up(save)),
                )


def _reason(save: Event) -> str:
    for role, word in (("path", "directory"), ("tag", "tag")):
        if role not in save.operands:
            continue
        if any(map(_is_of_rank, parts(save.operands[role]))):
            return f"the {word} contains the rank"
        tags = tags_of(save.operands[role])
        if TIME in tags & LOCAL_TAGS:
            return f"each rank takes the {word} from its own clock"
        if RANDOM in tags & LOCAL_TAGS:
            return f"each rank makes up its own {word}"
    return ""


def _made_up(save: Event) -> Iterator[Evidence]:
    """Where something is computed that is another thing on each rank."""
    for kind, what in ((TIME, "computed here from the time"), (RANDOM, "drawn at random here")):
        for role in ("path", "tag"):
            for part in parts(save.operands.get(role, NONE)):
                origin = part.origin if isinstance(part, Unknown) else None
                if isinstance(origin, Location) and kind in tags_of(part):
                    yield Evidence(f"{what}, which differs from rank to rank", origin)
                    return


def _is_of_rank(part: Value) -> bool:
    """Whether it is the rank, or one of several known things among which the rank chooses: what ranks have read
    elsewhere may still be the same.
    """
    if isinstance(part, Alternatives):
        return bool(tags_of(part) & RANK_TAGS) and not any(isinstance(each, Unknown) for each in parts(part))
    return isinstance(part, Rank)
