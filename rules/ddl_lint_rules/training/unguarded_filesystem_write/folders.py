"""Tells which folders are there before all ranks look for them."""

from __future__ import annotations

from ddl_lint.rulekit import (
    Apply,
    Context,
    Event,
    RunView,
    Setting,
    Value,
    branches,
    is_rank_guarded,
    match,
    rank_guards,
)
from ddl_lint.rulekit.domain import Path
from ddl_lint.rulekit.events import Backward, Collective, MakeDirectory, Save, WrapModel, WriteFile

_FILES = (MakeDirectory, WriteFile, Save)
_MEETINGS = (Collective, Backward, WrapModel)


def is_made_by_launches(run: RunView, folder: Value | None) -> bool:
    """Whether the launches that name a folder by an option make it before."""
    plain = Path(folder).plain
    options = run.launch.made_folders.get(run.run.path, frozenset[str]())
    return isinstance(plain, Setting) and plain.source == "argument" and plain.name in options


def is_there_before(run: RunView, made: MakeDirectory) -> bool:
    """Whether the program has made the folder, or something in it, before: on each rank, or on one with a meeting of
    all after it.
    """
    folder = Path(made.path)
    here = set(branches(made.context))
    return folder.plain is not None and any(
        earlier.order < made.order
        and earlier.location != made.location
        and Path(earlier.path).is_in(folder)
        and _conditions(earlier, folder) <= here
        and (not is_rank_guarded(earlier) or _meet_between(run, earlier, made))
        for earlier in run.events(*_FILES)
    )


def is_made_by_one(written: Event, made: MakeDirectory) -> bool:
    """Whether a rank only gets to a write where the folder of the file is not there, and after it has made it by a call
    that fails where it is: no two ranks do.
    """
    folder = Path(made.path)
    return (
        folder.plain is not None
        and made.order < written.order
        and Path(written.operands.get("path")).is_in(folder)
        and set(branches(made.context)) <= set(branches(written.context))
        and any(_asks_for(node, folder) for node in branches(made.context))
    )


def _asks_for(node: Context, folder: Path) -> bool:
    """Whether a condition asks whether a folder is there."""
    return Path(match.existence(_positive(node.value))).plain == folder.plain


def _conditions(earlier: Event, folder: Path) -> set[Context]:
    """What must hold for an earlier event, but for the rank and for the question whether the folder is there."""
    asked = {node for node in branches(earlier.context) if _asks_for(node, folder)}
    return set(branches(earlier.context)).difference(rank_guards(earlier.context), asked)


def _positive(condition: Value | None) -> Value | None:
    is_denied = isinstance(condition, Apply) and condition.operator == "not"
    return condition.operands[0] if isinstance(condition, Apply) and is_denied else condition


def _meet_between(run: RunView, earlier: Event, later: Event) -> bool:
    return any(
        earlier.order < each.order < later.order
        and not is_rank_guarded(each)
        and (each.kind != "wrap_model" or each.collective_when is not None)
        for each in run.events(*_MEETINGS)
    )
