"""Why a condition may differ between processes that the rank does not tell apart."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ddl_lint.analysis.interpreter.models.tensors import is_about
from ddl_lint.analysis.ranks.timeline import Timeline, is_small
from ddl_lint.analysis.values.bounded import RELATIONS
from ddl_lint.analysis.values.conditions import atoms, clauses, normal
from ddl_lint.analysis.values.contexts import rank_guards
from ddl_lint.analysis.values.tags import LOCAL_TAGS, RANK_TAGS, tags_now, tags_of
from ddl_lint.analysis.values.visitors import contents, is_repeatable, origins, parts
from ddl_lint.analysis.view import RunView
from ddl_lint.frameworks.index import ApiIndex
from ddl_lint.program.event_types import Collective
from ddl_lint.program.events import EventKind
from ddl_lint.program.heap import Heap
from ddl_lint.program.tags import DATA, METRIC, NO_TAGS, RANDOM, SHARE, SIGNAL, SIZE, TIME, UNIFORM, TagKind, Tags
from ddl_lint.program.trace import Context, Event
from ddl_lint.program.values import NONE, Alternatives, Apply, Const, Object, Rank, Symbol, Unknown, Value
from ddl_lint.source.span import Location

Source: TypeAlias = Literal["time", "random", "data", "files", "own files", "error", "signal"]


@dataclass(frozen=True, slots=True)
class Cause:
    """What a process decides for itself.

    `is_weak` where only the loop tells that the data is this process' own, or an error may be any. `ends_loops` and
    `guards_calls` say whether it is sure enough for an early exit of a loop, and for other calls.
    """

    source: Source
    is_weak: bool = False
    ends_loops: bool = True
    guards_calls: bool = True


_CHANGES: tuple[EventKind, ...] = ("save", "write_file", "remove_files", "make_directory", "download", "build_dataset")
_OF_DATA = frozenset({DATA, SHARE})
_DEEPEST = 3
_ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%", "**", "sum", "min", "max", "round", "abs", "mean"})


class Sources:
    """Answers for the conditions of one timeline."""

    def __init__(self, timeline: Timeline, api: ApiIndex) -> None:
        run = timeline.run
        self._heap = run.heap
        self._api = api
        self._carried = run.run.carried
        self._sent = set(_sent(run))
        self._foreign = run.run.foreign_calls
        self._changes = [event for event in run.events(*_CHANGES) if rank_guards(event.context)]
        self._seeded = not run.is_script or any(  # what starts a library may well see to it
            not tags_of(event.operands.get("value", NONE)) & RANK_TAGS for event in run.providers("seed")
        )

    def cause(self, atom: Value, node: Context) -> Cause | None:
        """Why a condition that a branch asks may differ; None when it does not, as far as that can be seen."""
        asked = [atom]
        if isinstance(atom, Unknown) and node.value is not None and not is_repeatable(node.value):
            asked = list(atoms(node.value)) if is_small(node.value) else []  # `atom` is but a name for what is asked
        found = [cause for part in asked for cause in [self._of(part, node)] if cause is not None]
        return min(found, key=lambda cause: cause.is_weak, default=None)

    def _of(self, condition: Value, node: Context) -> Cause | None:
        tags = self._tags(condition)
        if UNIFORM in tags or any(part in self._sent for part in _made_of(condition, self._heap)):
            return None
        files = self._files(condition, node)
        if files is not None:
            return files
        if SIGNAL in tags:
            return Cause("signal")
        if TIME in self._tags(condition, opened=_is_number):
            return Cause("time") if self._compares(condition) else None
        if RANDOM in tags and DATA not in tags:
            drawn = RANDOM in self._tags(condition, opened=_is_number)
            return Cause("random") if drawn and (SHARE in tags or not self._seeded) else None
        return _of_data(condition, tags, self._api) if tags & _OF_DATA else None

    def _compares(self, condition: Value) -> bool:
        """Whether a condition weighs something against something else, or holds where such a one did before: that a
        time span is not zero is true on all ranks.
        """
        condition, _ = normal(condition)
        if isinstance(condition, Apply):
            return condition.operator not in _ARITHMETIC
        made = list(self._made_in_iterations(condition))
        compared = any(
            isinstance(part, Apply) and part.operator not in _ARITHMETIC and TIME in self._tags(part) for part in made
        )
        return compared or any(isinstance(part, (Alternatives, Object)) for part in made)

    def is_of_own_share(self, value: Value) -> bool:
        """Whether a value was computed from this process' share of the data, and of nothing that it got from others."""
        found = list(self._made_in_iterations(value))
        tags = [tags_now(part, self._heap) for part in found if isinstance(part, (Unknown, Object))]
        if not any(SHARE in each for each in tags) or any(map(_is_told, tags)):
            return False
        if not self._foreign.isdisjoint(origin for part in found for origin in origins(part)):
            return False
        return all(self._sent.isdisjoint(_made_of(part, self._heap)) for part in found)

    def _made_in_iterations(self, value: Value, depth: int = 0) -> Iterator[Value]:
        """The parts of a value, and what the iteration before left in it."""
        for part in parts(value, opened=_is_no_length):
            yield part
            change = self._carried.get(part) if isinstance(part, Unknown) and depth < _DEEPEST else None
            if change is not None:
                yield from self._made_in_iterations(change[1], depth + 1)

    def _tags(self, condition: Value, opened: Callable[[Value], bool] = lambda _: True, depth: int = 0) -> Tags:
        """What a condition depends on, also what the iteration before left in it, as far as parts are opened."""
        tags = NO_TAGS
        for part in parts(condition, opened=opened):
            if isinstance(part, (Unknown, Object, Rank)):
                tags |= tags_of(part)
            change = self._carried.get(part) if isinstance(part, Unknown) and depth < _DEEPEST else None
            if change is not None:
                tags |= self._tags(change[1], opened, depth + 1)
            if isinstance(part, Alternatives):
                for labels, _ in part.options:
                    for label in (label for label, _ in labels if tags_of(label) & LOCAL_TAGS):
                        tags |= self._tags(label, opened, _DEEPEST)
        return tags

    def _files(self, condition: Value, node: Context) -> Cause | None:
        condition, _ = normal(condition)
        if not isinstance(condition, Apply) or condition.operator != "exists":
            return None
        asked = node.test if node.test is not None else node.value
        if asked is None or condition not in list(clauses(asked)):
            # Else it was looked for once, and a value tells of it.
            return Cause("own files") if asked is not None and _asks_for_own_file(asked) else None
        (path,) = condition.operands
        changed = any(_is_inside(event, node) and _concerns(event, path, self._heap) for event in self._changes)
        polled = not any(
            isinstance(part, Unknown) or (isinstance(part, Apply) and part.operator == "element")
            for part in contents(path, self._heap)
        )
        return Cause("files", ends_loops=polled, guards_calls=changed) if changed or polled else None


def _is_told(tags: Tags) -> bool:
    """Whether something with these tags may come from others: a reduced value, or one of a metric that reduces."""
    return UNIFORM in tags or METRIC in tags or any(tag.kind is TagKind.PARTIAL for tag in tags)


def _asks_for_own_file(asked: Value) -> bool:
    """Whether a condition asks at this place for a file with the number of the process in its name."""
    return any(
        isinstance(clause, Apply) and clause.operator == "exists" and bool(tags_of(clause) & RANK_TAGS)
        for clause in clauses(asked)
    )


def _sent(run: RunView) -> Iterator[Hashable]:
    """What goes through collectives, as `_made_of` tells it: the analysis loses sight of it where it lies in a list."""
    for event in run.events(Collective):
        for role in ("tensor", "output"):
            value = event.operands.get(role)
            for part in parts(value) if value is not None else ():
                if isinstance(part, Object):
                    yield part
                elif isinstance(part, Unknown) and part.origin is not None:
                    yield part.origin


def _made_of(condition: Value, heap: Heap) -> Iterator[Hashable]:
    """The objects that a condition asks about, and the origins of what else it asks about."""
    for part in contents(condition, heap):
        if isinstance(part, Object):
            yield part
        else:
            yield from origins(part)


def _is_no_length(part: Value) -> bool:
    """How long something is tells nothing of what is in it, and of who has it."""
    return not (isinstance(part, Apply) and part.operator == "len")


def _is_number(part: Value) -> bool:
    """Whether a value may be computed with; names, and what is found under a name, say nothing of what is in them."""
    return not (isinstance(part, Apply) and part.operator in ("text", "encoded", "derived", "exists", "element"))


def _of_data(condition: Value, tags: Tags, api: ApiIndex) -> Cause | None:
    condition, _ = normal(condition)
    if isinstance(condition, Unknown) and isinstance(condition.origin, Location):
        return None  # the answer of a call that cannot be seen
    weak = SHARE not in tags
    if _asks_for_size(condition, api):
        # Batches are equally large on all ranks, also the last one; only nothing at all is a case of its own.
        return Cause("data", weak, ends_loops=False, guards_calls=False) if _is_compared_with(condition, 0) else None
    if isinstance(condition, Apply) and not _asks_for_content(condition):
        return None
    present = isinstance(condition, Unknown) or (isinstance(condition, Apply) and NONE in condition.operands)
    return Cause("data", weak, ends_loops=not present, guards_calls=not present)


def _asks_for_size(condition: Value, api: ApiIndex) -> bool:
    """Whether all that a condition asks of the data is how many they are."""
    sized = {inner for part in parts(condition) if _is_length(part, api) for inner in parts(part)}
    asked = [part for part in parts(condition) if isinstance(part, (Unknown, Object)) and tags_of(part) & _OF_DATA]
    return all(SIZE in tags_of(part) or part in sized for part in asked)


def _is_length(part: Value, api: ApiIndex) -> bool:
    if not isinstance(part, Apply):
        return False
    word = part.operands[-1] if part.operands else None
    named = part.operator == "attribute" and isinstance(word, Const) and is_about(api, str(word.value))
    return named or part.operator == "len"


def _asks_for_content(condition: Apply) -> bool:
    """Whether a condition compares what is in the data, or asks whether there are any, rather than for their form."""
    if condition.operator in ("is", "is not"):
        return NONE in condition.operands
    texts = any(isinstance(operand, Const) and isinstance(operand.value, str) for operand in condition.operands)
    kinds = any(isinstance(operand, Symbol) for operand in condition.operands)
    return condition.operator == "asks" or (condition.operator in RELATIONS and not texts and not kinds)


def _is_compared_with(condition: Value, number: int) -> bool:
    if not isinstance(condition, Apply):
        return True
    if condition.operator in RELATIONS:
        return any(operand == Const(number) for operand in condition.operands)
    return condition.operator == "len"


def _is_inside(event: Event, node: Context) -> bool:
    """Whether an event happens under a condition, in either arm."""
    return any(each.location == node.location and each.parent is node.parent for each in event.context.chain())


def _concerns(event: Event, path: Value, heap: Heap) -> bool:
    """Whether an event changes what is at a path, above it or below it."""
    changed = event.operands.get("path")
    if changed is None:
        return False
    return path in list(contents(changed, heap)) or changed in list(contents(path, heap))
