"""Tells which writes do no harm although all ranks make them: what is lost is written again, and nothing reads it."""

from __future__ import annotations

from ddl_lint.rulekit import (
    LOCAL_TAGS,
    NONE,
    RANK_TAGS,
    Const,
    Event,
    Items,
    Object,
    RunView,
    Setting,
    Table,
    Value,
    always,
    called_name,
    children,
    is_of_parent,
    is_opt_in,
    is_started_alone,
    named,
    tags_of,
)
from ddl_lint.rulekit.domain import FileName, FileUse
from ddl_lint_rules.training.unguarded_filesystem_write.folders import is_made_by_launches


def is_harmless(run: RunView, event: Event, start: Event, *, per_node: bool) -> bool:
    """Whether no job that the project starts comes to a write with several processes that share a disk: it starts one
    process, which may start the others afterwards; an option must be given for the write, or for the
    group; or only the first process of each node writes, and no launch starts several nodes.

    Where a directory is made, the job may fail whenever somebody gives the option: launches must show that none does.
    """
    if per_node:
        return run.run.path not in run.launch.on_several_nodes.paths
    if is_started_alone(run) or is_of_parent(run, event):
        return True
    if event.kind == "make_directory":
        path = event.operands.get("path")
        if not FileUse(event).looks_for_it_first:
            return False
        if is_made_by_launches(run, path):
            return True
        if run.run.path not in run.launch.of_jobs:
            return False
    return is_opt_in(run, start) or is_opt_in(run, event)


def record_of(run: RunView, event: Event) -> FileName | None:
    """The name of a file that holds the same small things on all ranks, such as settings, a table or a picture; None
    where it is a checkpoint, a copy of a file, or what a program looks for before it writes.
    """
    is_record = (
        event.kind in ("write_file", "export", "save")
        and "source" not in event.operands
        and not _holds_state(run, event)
        and not (event.kind != "write_file" and FileUse(event).looks_for_it_first)
    )
    return FileUse(event).path.name if is_record else None


def _holds_state(run: RunView, event: Event) -> bool:
    """Whether what is written may be the state of a training, or a share of its own on each rank."""
    written = event.operands.get("object", NONE)
    if tags_of(written) & (RANK_TAGS | LOCAL_TAGS):
        return True
    if event.kind == "write_file":
        return False
    if event.kind == "export":
        called = named("", called_name, run, event.location).split(".")
        is_small = run.api.names_like("small_part_patterns").search(called[-2]) is not None if called[1:] else False
        return not (is_small or always(written, lambda made: isinstance(made, Object) and made.kind != "model"))
    return not _is_plain(written)


def _is_plain(saved: Value) -> bool:
    """Whether something is surely made of settings and of what is written in the code."""
    if isinstance(saved, Object):
        return saved.kind == "namespace"
    if isinstance(saved, (Items, Table)):
        return not saved.open and all(map(_is_plain, children(saved)))
    return isinstance(saved, (Const, Setting))
