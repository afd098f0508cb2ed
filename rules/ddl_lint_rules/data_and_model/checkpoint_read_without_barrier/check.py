"""Finds files that one rank writes or removes while the others may come to read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddl_lint.rulekit import (
    Context,
    Event,
    Evidence,
    Finding,
    Location,
    Object,
    RunView,
    contradicts,
    depends_on_rank,
    excludes,
    in_handler,
    in_process,
    is_kept_out,
    job,
    passes,
    rank_guards,
    reached_from,
    with_fix,
)
from ddl_lint.rulekit.domain import FileUse, Path
from ddl_lint.rulekit.events import AwaitFile, Download, Load, RemoveFiles, Save, WriteFile
from ddl_lint_rules.data_and_model.checkpoint_read_without_barrier.fix import wait_between

_MEETINGS = frozenset({"communicate", "unfollowed", "init_process_group", "point_to_point", "delegate", "await_file"})
"""Kinds of events at which ranks may wait for each other, beside those that all make together."""


def check(run: RunView) -> Iterable[Finding]:
    """One finding per place that reads too early, or removes too early."""
    seen: set[Location] = set()
    for place, finding in (*_read_early(run), *_removed_early(run)):
        if place not in seen:
            seen.add(place)
            yield finding


def _read_early(run: RunView) -> Iterator[tuple[Location, Finding]]:
    writes = [event for event in run.events(Save, WriteFile, Download) if FileUse(event).writes]
    writes = [event for event in writes if rank_guards(event.context)]
    for read in run.events(Load, WriteFile) if writes else ():
        if not FileUse(read).reads or FileUse(read).looks_first or FileUse(read).bears_missing:
            continue
        for write in writes:
            if write.order < read.order and _is_race(run, write, read, write, read):
                place = reached_from(read, write)
                finding = Finding(
                    "reads a file that only some ranks write; the others may find no file, or half of it",
                    place,
                    help="Add a barrier between the write and the read, outside of the rank check.",
                    evidence=(
                        *([Evidence("it is read here", read.location)] if place != read.location else []),
                        Evidence("it is written here, by some ranks only", write.location),
                    ),
                )
                yield place, with_fix(finding, wait_between, run, write, read)
                break


def _removed_early(run: RunView) -> Iterator[tuple[Location, Finding]]:
    removals = [event for event in run.events(RemoveFiles) if rank_guards(event.context)]
    reads = [event for event in run.events(Load, WriteFile) if FileUse(event).reads] if removals else []
    for removal in removals:
        for read in reads:
            if read.order < removal.order and _is_race(run, removal, read, read, removal):
                finding = Finding(
                    "removes a file that the other ranks may not have read yet",
                    removal.location,
                    (Evidence("all ranks read it here", read.location),),
                    help="Add a barrier before the file is removed, outside of the rank check.",
                )
                yield removal.location, with_fix(finding, wait_between, run, read, removal)
                break


def _is_race(
    run: RunView,
    change: Download | RemoveFiles | Save | WriteFile,
    read: Load | WriteFile,
    first: Event,
    second: Event,
) -> bool:
    """Whether some rank reads a file that another one changes, and does not wait for it between."""
    if not Path(change.path).is_surely(Path(read.path)) or depends_on_rank(change.path):
        return False
    if excludes(first.context, second.context) or contradicts(first.context, second.context):
        return False
    if in_handler(read) or in_handler(change) or in_process(read) is not in_process(change):
        return False
    if not any(passes(read, process) and is_kept_out(change, process) for process in job(1, 2)):
        return False
    if any(map(_may_order, (*first.context.chain(), *second.context.chain()))):
        return False
    # A meeting before that only some ranks come to makes them wait, too: rank 0 comes to its own afterwards.
    return not any(
        (first.order < event.order < second.order and _is_meeting(event))
        or (event.order < first.order and event.collective_when is not None and rank_guards(event.context))
        for event in (*run.all_events, *run.events(AwaitFile))
    )


def _is_meeting(event: Event) -> bool:
    return event.collective_when is not None or event.kind in _MEETINGS


def _may_order(node: Context) -> bool:
    """Whether a context manager may let one process in after the other: a lock, 'rank 0 first', one of the project."""
    if node.kind != "with":
        return False
    manager = node.value
    if not isinstance(manager, Object):
        return True
    own = manager.definition is not None or manager.kind == "iterator"
    return own or bool(manager.traits.get("exclusive")) or "exclusive" in manager.given
