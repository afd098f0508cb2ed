"""The share of data that a program cuts out for each rank, and what is surely as long as it.

for event in run.events(Shard):
    if Share(event).is_strided and Share(event).start.is_surely(Count.RANK):
        ...  # data[rank::step]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ddl_lint.analysis.interpreter.models.tensors import operands_of
from ddl_lint.analysis.syntactic.mentions import gone_through_once, mentioned
from ddl_lint.analysis.values.certainty import objects, sometimes
from ddl_lint.analysis.values.lattice import alternatives
from ddl_lint.analysis.values.tags import RANK_TAGS, tags_of
from ddl_lint.domain.quantities import Count, Quantity
from ddl_lint.program.event_types import Shard
from ddl_lint.program.heap import Heap
from ddl_lint.program.values import FALSE, NONE, Alternatives, Apply, Items, Object, Value

_AS_LONG = frozenset({"list", "tuple", "each", "enumerate", "sorted", "shuffled", "reversed"})


@dataclass(frozen=True, slots=True)
class Share:
    """What one rank takes of data: `data[rank::step]`, `data[rank * n : (rank + 1) * n]`, or one of several pieces."""

    event: Shard

    @property
    def is_of_pieces(self) -> bool:
        """Whether the data is cut into pieces, of which a rank takes one."""
        return "index" not in self.event.operands

    @property
    def is_strided(self) -> bool:
        """Whether it is every n-th element to the end of the data."""
        return not self.is_of_pieces and self._stop == NONE

    @property
    def start(self) -> Quantity:
        """Where it begins."""
        return Quantity(self.event.operands.get("index", NONE))

    @property
    def count(self) -> Quantity:
        """The step from one element to the next, or the number of pieces."""
        return Quantity(self.event.count)

    @property
    def _stop(self) -> Value:
        return self.event.operands.get("stop", NONE)

    @property
    def block(self) -> Quantity | None:
        """The length of a share that begins at `rank * length`."""
        return self.start.block_of_rank()

    @property
    def ends_before_rest(self) -> bool:
        """Whether a block surely ends where that of the next rank begins, or with the data."""
        block = self.block
        return block is not None and all(is_end_of_block(each, self.start, block) for each in alternatives(self._stop))

    @property
    def leaves_rest_to_last(self) -> bool:
        """Whether a block of the last rank goes on to the end of the data, and those of the others do not."""
        block = self.block
        if block is None or not isinstance(self._stop, Alternatives) or not tags_of(self._stop) & RANK_TAGS:
            return False
        options = alternatives(self._stop)
        others = [option for option in options if not is_end_of_block(option, self.start, block)]
        return bool(others) and len(others) < len(options) and all(end == NONE or _is_length(end) for end in others)

    @property
    def is_by_rank(self) -> bool:
        """Whether each rank takes its own part of something that is cut into as many parts as there are ranks."""
        given = [each for role in ("index", "stop", "count") if (each := self.event.operands.get(role)) is not None]
        return any(tags_of(each) & RANK_TAGS for each in given) and any(
            Quantity(each).scales_with_processes() for each in given
        )


def is_end_of_block(stop: Value, start: Quantity, block: Quantity) -> bool:
    """Whether a bound is `start + block`, or `(rank + 1) * block`, or the least of that and others."""
    if isinstance(stop, Apply) and stop.operator == "min":
        return any(is_end_of_block(part, start, block) for part in stop.operands)
    return Quantity(stop).equals(start.plus(block))


def _is_length(value: Value) -> bool:
    return isinstance(value, Apply) and value.operator == "len"


def bounds_of(data: Value) -> Iterator[Value]:
    """The bounds that a tensor was cut by before."""
    while isinstance(data, Object) and data.kind == "tensor":
        others = data.given.get("others")
        yield from others.items if isinstance(others, Items) else ()
        data = next(operands_of(data), NONE)


def carries(value: Value, share: Share, heap: Heap, within: frozenset[Object] = frozenset()) -> bool:
    """Whether a value surely has as many elements as a share: the share itself, what is made of each of its elements,
    a tensor or data set of it, a loader that goes over that. Nothing says so of what holds itself: `within` are the
    objects of which the value is a part.
    """
    event = share.event
    if isinstance(value, Alternatives):
        return all(carries(option, share, heap, within) for option in alternatives(value))
    if isinstance(value, Object):
        if value in within:
            return False
        if value is event.result and value.kind == "iterable_dataset" and value.definition is None:
            return "fixed_length" not in value.given
        return any(carries(held, share, heap, within | {value}) for held in _going_over(value, heap))
    if not isinstance(value, Apply):
        return False
    if not share.is_of_pieces and value == event.result and value.location in (None, event.location):
        return True
    if share.is_of_pieces and value.operator == "index" and value.operands[0] == event.result:
        return Quantity(value.operands[1]).is_surely(Count.RANK, Count.LOCAL_RANK)
    return value.operator in _AS_LONG and carries(value.operands[0], share, heap, within)


def _going_over(made: Object, heap: Heap) -> Iterable[Value]:
    """What an object has as many elements as: any of these, where there are several."""
    if made.kind == "tensor":
        source = made.given.get("data", made.given.get("counted"))
        if source is None and made.given.keys() & {"moved", "cast"}:
            source = next(operands_of(made), None)
        return () if source is None else (source,)
    if made.kind == "loader":
        return _fed_to_loader(made)
    own = made.definition.definition if made.definition is not None else None
    if made.kind == "sampler" and own is None:  # one that goes over a list of indices
        return made.given.values()
    if made.kind == "iterable_dataset":
        if own is not None:
            return [heap.attributes(made).get(name, NONE) for name in gone_through_once(own)]
        names = () if "fixed_length" in made.given else ("source", "filenames", "tensors")
        return [made.given.get(name, NONE) for name in names]
    if made.kind not in ("sampler", "dataset"):
        return ()
    held = heap.attributes(made)
    if own is not None:
        counted = mentioned(own, "__len__")
        return [value for name, value in held.items() if name in counted]
    given = (*made.given.values(), *held.values())
    inside = [part for value in given for part in (value.items if isinstance(value, Items) else (value,))]
    return [value for value in inside if value is not made]


def _fed_to_loader(loader: Object) -> Iterable[Value]:
    """The data of a loader, or what chooses of it one by one; nothing where it may make batches of its own, or drop
    the last one.
    """
    drops_last = sometimes(loader.given.get("drop_last"), lambda value: value not in (NONE, FALSE))
    if drops_last or objects(loader.given.get("batch_sampler")):
        return ()
    source = loader.given.get("sampler") if objects(loader.given.get("sampler")) else loader.given.get("dataset")
    return () if source is None else (source,)
