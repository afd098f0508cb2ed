"""What values depend on: the tags of their parts, and the tags that say what a call gave."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ddl_lint.analysis.values.visitors import children, dependencies, rebuild
from ddl_lint.program.heap import Heap
from ddl_lint.program.tags import (
    DATA,
    GROUP_RANK,
    LOCAL_RANK,
    NO_TAGS,
    NODE_RANK,
    OUTPUT,
    RANDOM,
    RANK,
    SHARE,
    SIGNAL,
    TIME,
    Tag,
    TagKind,
    Tags,
)
from ddl_lint.program.values import Alternatives, Apply, Fact, Items, Object, Rank, Table, Unknown, Value
from ddl_lint.source.span import Location

_RANK_TAGS: dict[str, Tags] = {
    "global": frozenset({RANK}),
    "local": frozenset({LOCAL_RANK}),
    "node": frozenset({NODE_RANK}),
    "group": frozenset({GROUP_RANK}),
}
RANK_TAGS: Tags = frozenset({RANK, LOCAL_RANK, NODE_RANK, GROUP_RANK})
"""Tags of values that differ between processes because of their number."""

LOCAL_TAGS: Tags = frozenset({TIME, RANDOM, SIGNAL, DATA, SHARE})
"""Tags of values that may differ between processes for another reason."""

PLAIN = frozenset({"path", "tensor", "device", "other", "generator"})
"""Kinds of objects that are little more than a value: what they depend on is what they were made of."""


def tags_of(value: Value) -> Tags:
    """What a value was computed from; see `Unknown`."""
    if isinstance(value, (Unknown, Object)):
        return value.tags
    if isinstance(value, Rank):
        return _RANK_TAGS[value.scope]
    if isinstance(value, (Apply, Items, Table, Alternatives)):
        known = value.tags
        if known is None:
            known = _tags_of_choice(value) if isinstance(value, Alternatives) else tags_of_all(children(value))
            value.tags = known  # computed once; not part of the value
        return known
    return NO_TAGS


def _tags_of_choice(value: Alternatives) -> Tags:
    """What one of several values was computed from, and what decides which of them it is."""
    conditions = (condition for labels, _ in value.options for condition, _ in labels)
    return tags_of_all(children(value)).union(*map(asked_by, conditions))


def asked_by(condition: Value) -> Tags:
    """What decides a condition. The rank does not decide if there is a file of its own."""
    if isinstance(condition, Apply) and condition.operator in ("exists", "not", "and", "or"):
        if condition.operator == "exists":
            return tags_of(condition) - RANK_TAGS
        return NO_TAGS.union(*map(asked_by, condition.operands))
    return tags_of(condition)


def tags_of_all(values: Iterable[Value]) -> Tags:
    """What several values together were computed from."""
    found: Tags = NO_TAGS
    for value in values:
        tags = tags_of(value)
        if tags:
            found = found | tags if found else tags
    return found


def tags_now(value: Value, heap: Heap) -> Tags:
    """As `tags_of`; objects that were changed in place depend on what they were changed with."""
    if isinstance(value, Object):
        changed = heap.get(value, Fact.TAGS)
        return value.tags if changed is None else changed
    for made in _inner(value):
        if heap.get(made, Fact.TAGS) is not None:
            return NO_TAGS.union(*(tags_now(part, heap) for part in dependencies(value)))
    return tags_of(value)


_NO_OBJECTS: frozenset[Object] = frozenset()


def _inner(value: Value) -> frozenset[Object]:
    """The objects in a value on which it depends."""
    if isinstance(value, Object):
        return frozenset({value})
    if isinstance(value, (Apply, Items, Table, Alternatives)):
        known = value.inner
        if known is None:
            known = _NO_OBJECTS
            for part in dependencies(value):
                found = _inner(part)
                known = known | found if found else known
            value.inner = known  # computed once, as the tags are
        return known
    return _NO_OBJECTS


def tagged(value: Value, tags: Tags, heap: Heap) -> Value:
    """A value that depends on more than it shows."""
    return _retagged(value, lambda known: known | tags, heap)


def as_gradients(value: Value, location: Location, heap: Heap) -> Value:
    """What the call at this place gave, as gradients: those of earlier calls are no part of them."""
    own = Tag.at(TagKind.GRADIENT, location)
    return _retagged(value, lambda tags: _without(tags, TagKind.GRADIENT) | {own}, heap)


def is_gradient(value: Value, heap: Heap) -> bool:
    """Whether a value was computed from gradients that a call gave."""
    return any(tag.kind is TagKind.GRADIENT for tag in tags_now(value, heap))


def forward_tags(value: Value, heap: Heap) -> Tags:
    """The tags of the calls of models that gradients of a value go back through."""
    return frozenset(tag for tag in tags_now(value, heap) if tag.kind is TagKind.FORWARD)


def detached(value: Value, heap: Heap) -> Value:
    """A value through which no gradient goes back, while it still comes from a model."""
    if not forward_tags(value, heap):
        return value
    return _retagged(value, lambda tags: _without(tags, TagKind.FORWARD) | {OUTPUT}, heap)


def _without(tags: Tags, kind: TagKind) -> Tags:
    return frozenset(tag for tag in tags if tag.kind is not kind)


def _retagged(value: Value, change: Callable[[Tags], Tags], heap: Heap) -> Value:
    if isinstance(value, (Alternatives, Items, Table)):
        return rebuild(value, lambda part: _retagged(part, change, heap))
    tags = tags_now(value, heap)
    new = change(tags)
    if new == tags:
        return value
    if isinstance(value, Unknown):
        return Unknown(value.origin, new)
    if isinstance(value, Apply):
        made = Apply(value.operator, value.operands, value.location)
        made.tags = new
        return made
    if isinstance(value, Object) and value.kind == "tensor":
        return replace(value, tags=new)
    return value
