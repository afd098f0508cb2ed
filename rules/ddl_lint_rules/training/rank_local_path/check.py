"""Finds paths that each rank makes up for itself, by its clock or at random, although all ranks mean one place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Claim,
    Event,
    Evidence,
    Finding,
    RunView,
    Value,
    disagreement,
    engines,
    is_call,
    is_named_after_rank,
    is_on_every_rank,
    is_together,
    may_span_nodes,
    parts,
    rank_guards,
)
from ddl_lint.rulekit.domain import FileUse
from ddl_lint.rulekit.events import Download, Load, LoadSharded, MakeDirectory, Save, SaveSharded, WriteFile

_AGREE = (
    "Let rank 0 choose the name and broadcast it, or build it from what all ranks share, such as the configuration."
)


def check(run: RunView) -> Iterable[Finding]:
    """One finding per call that writes a part, and per one that looks for what another rank has written."""
    engine_calls = list(engines(run))
    for save in run.events(SaveSharded):
        if any(is_call(engine, save) for engine in engine_calls) or not _is_joint(run, save):
            continue
        for role, word in (("path", "directory"), ("tag", "tag")):
            source = _source(run, save, save.operands.get(role))
            if source:
                message = Claim(
                    f"each rank takes the {word} from {source}, so the checkpoint is scattered", "data-loss"
                )
                yield Finding(message, save.location, help=_AGREE)
                break
    yield from _missing(run)


def _missing(run: RunView) -> Iterator[Finding]:
    """Where ranks look for a file or directory under a name that only another rank knows."""
    makers = [
        event
        for event in run.events(Save, WriteFile, MakeDirectory, Download)
        if rank_guards(event.context) and not FileUse(event).reads
    ]
    for use in run.events(Load, LoadSharded, WriteFile, Save) if makers else ():
        path = use.path
        source = "its own rank" if FileUse(use).reads and is_named_after_rank(path) else _source(run, use, path)
        if path is None or not is_on_every_rank(use) or FileUse(use).bears_missing or FileUse(use).looks_first:
            continue
        for made in reversed(makers):
            if (
                made.order < use.order
                and _is_inside(path, made, is_read=FileUse(use).reads)
                and FileUse(made).is_by_some_ranks
            ):
                is_directory = made.kind == "make_directory"
                if is_directory:  # in which each rank may have a file of its own
                    source = source or _source(run, made, made.path)
                if not source:
                    continue
                what = "directory" if is_directory else "file"
                message = f"each rank takes this path from {source}, but only some ranks create the {what}"
                evidence = Evidence(f"only some ranks create the {what} here", made.location)
                yield Finding(message, use.location, (evidence,), help=_AGREE)
                break


def _is_inside(path: Value, made: Event, *, is_read: bool) -> bool:
    """Whether a path is that of a file that is read, or lies in a directory that was made."""
    name = made.operands.get("path")
    if name is None:
        return False
    return name in parts(path) if made.kind == "make_directory" else is_read and name == path


def _is_joint(run: RunView, save: Event) -> bool:
    """Whether the ranks write parts of one checkpoint together."""
    return is_on_every_rank(save) and is_together(save, run, run.api) == "surely"


def _source(run: RunView, event: Event, path: Value | None) -> str:
    """What each rank makes a path up from for itself; nothing where all ranks may have the same."""
    found = disagreement(run, event, path)
    return found.own.value if found is not None and not (found.by_machine and not may_span_nodes(run)) else ""
