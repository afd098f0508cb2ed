"""Why a condition may differ between processes that the rank does not tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ddl_lint.analysis.circumstances import contents, parts, rank_guards
from ddl_lint.analysis.operations import RANK_TAGS, is_repeatable, normal, tags_of
from ddl_lint.analysis.ranks.residual import atoms
from ddl_lint.analysis.ranks.timeline import Timeline
from ddl_lint.analysis.tensors import SIZE
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import NONE, Apply, Const, Object, Unknown, Value
from ddl_lint.source.span import Location

Source: TypeAlias = Literal["time", "random", "data", "files", "error"]


@dataclass(frozen=True, slots=True)
class Cause:
    """What a process decides for itself.

    `is_weak` where only the loop tells that the data are this process' own. `ends_loops` and `guards_calls` say
    whether it is sure enough for a way out of a loop, and for other calls.
    """

    source: Source
    is_weak: bool = False
    ends_loops: bool = True
    guards_calls: bool = True


_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_CHANGES = ("save", "write_file", "remove_files", "make_directory", "download", "build_dataset")
_OF_DATA = frozenset({"data", "share"})
_DEEPEST = 3


class Sources:
    """Answers for the conditions of one timeline."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        run = timeline.run
        self._carried = run.run.carried
        self._collectives = run.events("collective")
        self._changes = [event for event in run.events(*_CHANGES) if rank_guards(event.context)]
        self._seeded = not run.is_script or any(  # what starts a library may well see to it
            not tags_of(event.operands.get("value", NONE)) & RANK_TAGS for event in run.providers("seed")
        )

    def cause(self, atom: Value, node: Context) -> Cause | None:
        """Why a condition that a branch asks may differ; None when it does not, as far as that can be seen."""
        asked = [atom]
        if isinstance(atom, Unknown) and node.value is not None and not is_repeatable(node.value):
            asked = list(atoms(node.value))  # `atom` is but a name for what is asked
        found = [cause for part in asked for cause in [self._of(part, node)] if cause is not None]
        return min(found, key=lambda cause: cause.is_weak, default=None)

    def _of(self, condition: Value, node: Context) -> Cause | None:
        tags = self._tags(condition)
        if "uniform" in tags or self._is_shared(condition):
            return None
        files = self._files(condition, node)
        if files is not None:
            return files
        if "time" in tags:
            return Cause("time")
        if "random" in tags and "data" not in tags:
            return Cause("random") if "share" in tags or not self._seeded else None
        return _of_data(condition, tags) if tags & _OF_DATA else None

    def _tags(self, condition: Value, depth: int = 0) -> frozenset[str]:
        """What a condition depends on, also what the turn of a loop before left in it."""
        tags = tags_of(condition)
        if depth < _DEEPEST:
            for part in parts(condition):
                change = self._carried.get(part) if isinstance(part, Unknown) else None
                if change is not None:
                    tags |= self._tags(change[1], depth + 1)
        return tags

    def _is_shared(self, condition: Value) -> bool:
        """Whether something in a condition has been through a collective of which the analysis has lost sight."""
        sent = {
            value
            for event in self._collectives
            for role in ("tensor", "output")
            for value in [event.operands.get(role)]
            if value is not None
            for value in parts(value)
            if isinstance(value, Object) or (isinstance(value, Unknown) and value.origin is not None)
        }
        return bool(sent) and any(part in sent for part in contents(condition) if isinstance(part, (Object, Unknown)))

    def _files(self, condition: Value, node: Context) -> Cause | None:
        condition, _ = normal(condition)
        if not isinstance(condition, Apply) or condition.operator != "exists":
            return None
        (path,) = condition.operands
        changed = any(_is_inside(event, node) and _concerns(event, path) for event in self._changes)
        polled = not any(
            isinstance(part, Unknown) or (isinstance(part, Apply) and part.operator == "element")
            for part in contents(path)
        )
        return Cause("files", ends_loops=polled, guards_calls=changed) if changed or polled else None


def _of_data(condition: Value, tags: frozenset[str]) -> Cause | None:
    condition, _ = normal(condition)
    if isinstance(condition, Unknown) and isinstance(condition.origin, Location):
        return None  # the answer of a call that cannot be seen
    weak = "share" not in tags
    if _asks_for_size(condition):
        # Batches are equally large on all ranks, also the last one; only nothing at all is a case of its own.
        return Cause("data", weak, ends_loops=False, guards_calls=False) if _is_compared_with(condition, 0) else None
    if isinstance(condition, Apply) and not _asks_for_content(condition):
        return None
    present = isinstance(condition, Unknown) or (isinstance(condition, Apply) and NONE in condition.operands)
    return Cause("data", weak, ends_loops=not present, guards_calls=not present)


def _asks_for_size(condition: Value) -> bool:
    """Whether all that a condition asks of the data is how many they are."""
    sized = {inner for part in parts(condition) if _is_length(part) for inner in parts(part)}
    asked = [part for part in parts(condition) if isinstance(part, (Unknown, Object)) and tags_of(part) & _OF_DATA]
    return all(SIZE in tags_of(part) or part in sized for part in asked)


def _is_length(part: Value) -> bool:
    return isinstance(part, Apply) and part.operator == "len"


def _asks_for_content(condition: Apply) -> bool:
    """Whether a condition compares what is in the data, or asks whether there are any, rather than for their form."""
    if condition.operator in ("is", "is not"):
        return NONE in condition.operands
    texts = any(isinstance(operand, Const) and isinstance(operand.value, str) for operand in condition.operands)
    return condition.operator == "asks" or (condition.operator in _COMPARISONS and not texts)


def _is_compared_with(condition: Value, number: int) -> bool:
    if not isinstance(condition, Apply):
        return True
    if condition.operator in _COMPARISONS:
        return any(operand == Const(number) for operand in condition.operands)
    return condition.operator == "len"


def _is_inside(event: Event, node: Context) -> bool:
    """Whether an event happens behind a condition, in either arm."""
    return any(each.location == node.location and each.parent is node.parent for each in event.context.chain())


def _concerns(event: Event, path: Value) -> bool:
    """Whether an event changes what is at a path, above it or below it."""
    changed = event.operands.get("path")
    if changed is None:
        return False
    return any(part == path for part in contents(changed)) or any(part == changed for part in contents(path))
