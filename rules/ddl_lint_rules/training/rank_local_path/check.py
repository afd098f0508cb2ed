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
    branches,
    catches,
    disagreement,
    engines,
    is_call,
    is_constant,
    is_kept_out,
    is_named_after_rank,
    is_on_every_rank,
    is_together,
    job,
    match,
    may_span_nodes,
    parts,
    rank_guards,
)
from ddl_lint.rulekit.events import Download, Load, LoadSharded, MakeDirectory, Save, SaveSharded, WriteFile

_CAUGHT = ("FileNotFoundError", "OSError", "IOError", "Exception", "BaseException")


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
        if rank_guards(event.context) and not _reads(event)
    ]
    for use in run.events(Load, LoadSharded, WriteFile, Save) if makers else ():
        path = use.operands.get("path")
        source = "its own rank" if _reads(use) and is_named_after_rank(path) else _source(run, use, path)
        if path is None or not is_on_every_rank(use) or catches(use.context, *_CAUGHT) or _looks(use):
            continue
        for made in reversed(makers):
            if made.order < use.order and _is_inside(path, made, is_read=_reads(use)) and _keeps_some_out(made):
                is_directory = made.kind == "make_directory"
                if is_directory:  # in which each rank may have a file of its own
                    source = source or _source(run, made, made.operands.get("path"))
                if not source:
                    continue
                what = "directory" if is_directory else "file"
                message = f"each rank takes this path from {source}, but only some ranks create the {what}"
                evidence = Evidence(f"only some ranks create the {what} here", made.location)
                yield Finding(message, use.location, (evidence,), help=_AGREE)
                break


def _reads(event: Event) -> bool:
    mode = event.operands.get("mode")
    return event.kind in ("load", "load_sharded") or (event.kind == "write_file" and is_constant(mode, "r", "rb", "rt"))


def _is_inside(path: Value, made: Event, *, is_read: bool) -> bool:
    """Whether a path is that of a file that is read, or lies in a directory that was made."""
    name = made.operands.get("path")
    if name is None:
        return False
    return name in parts(path) if made.kind == "make_directory" else is_read and name == path


def _keeps_some_out(made: Event) -> bool:
    """Whether a check of the rank surely keeps processes away from an event."""
    return any(is_kept_out(made, process) for process in job(2, 2))


def _looks(use: Event) -> bool:
    """Whether the program looks first whether the file is there."""
    return any(
        match.existence(part) is not None
        for node in branches(use.context)
        if node.value is not None
        for part in parts(node.value)
    )


def _is_joint(run: RunView, save: Event) -> bool:
    """Whether the ranks write parts of one checkpoint together."""
    return is_on_every_rank(save) and is_together(save, run, run.api) == "surely"


def _source(run: RunView, event: Event, path: Value | None) -> str:
    """What each rank makes a path up from for itself; nothing where all ranks may have the same."""
    found = disagreement(run, event, path)
    return found.own.value if found is not None and not (found.by_machine and not may_span_nodes(run)) else ""
