"""Python's operators on abstract values: joining, comparing, deciding, and what a value depends on."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from ddl_lint.analysis.values import bounded
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
    TIME,
    Tag,
    TagKind,
    Tags,
)
from ddl_lint.program.values import (
    FALSE,
    NONE,
    TRUE,
    Alternatives,
    Apply,
    Bound,
    ClassRef,
    Const,
    DeviceCount,
    Fact,
    Flag,
    FunctionRef,
    Items,
    ModuleRef,
    Object,
    Rank,
    Setting,
    Symbol,
    Table,
    Unknown,
    Value,
    WorldSize,
)
from ddl_lint.source.span import Location

Condition = tuple[Value, bool]
Facts = Mapping[Value, bool]

ALWAYS: frozenset[Condition] = frozenset()
"""The conditions of a value that is no choice."""

_MOST_ALTERNATIVES = 8
_MOST_CONDITIONS = 4
_LARGEST_OPERATION = 60
_LARGEST_CHOICE = 600

_ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%"})
_PERCENT = re.compile("%[sd]")
_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
OPPOSITE = {
    "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in",
    "is": "is not", "is not": "is",
}  # fmt: skip
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


# --- several values -----------------------------------------------------------------------------------------------


def alternatives(value: Value) -> tuple[Value, ...]:
    """The values that `value` may be; one, unless it is a choice."""
    if isinstance(value, Alternatives):
        return tuple(option for _, option in value.options)
    return (value,)


def choose(options: Iterable[tuple[frozenset[Condition], Value]]) -> Value:
    """One value out of several, each under its conditions; equal ones are merged, too many are unknown."""
    options = list(options)
    first, other = options[0][1], options[-1][1]
    if first is other and all(value is first for _, value in options):
        return first
    if (
        len(options) == 2
        and not isinstance(first, Alternatives)
        and not isinstance(other, Alternatives)
        and hash(first) != hash(other)
        and first.size + other.size < 99
    ):
        return Alternatives((options[0], options[1]))  # the common case: two different values
    merged: dict[Value, frozenset[Condition]] = {}
    for conditions, value in options:
        for inner, single in value.options if isinstance(value, Alternatives) else ((ALWAYS, value),):
            labels = conditions | inner
            if len(labels) > _MOST_CONDITIONS:
                labels = conditions
            merged[single] = merged[single] & labels if single in merged else labels
    if len(merged) == 1:
        return next(iter(merged))
    if len(merged) > _MOST_ALTERNATIVES or sum([value.size for value in merged]) > _LARGEST_CHOICE:
        return Unknown(None, tags_of_all(merged))
    return Alternatives(tuple((labels, value) for value, labels in merged.items()))


def join(condition: Value | None, when_true: Value, when_false: Value) -> Value:
    """The value after an `if`."""
    if when_true is when_false or when_true == when_false:
        return when_true
    if condition is None:
        return choose(((frozenset(), when_true), (frozenset(), when_false)))
    condition, truth = normal(condition)
    return choose(((frozenset({(condition, truth)}), when_true), (frozenset({(condition, not truth)}), when_false)))


def prune(value: Value, facts: Facts) -> Value:
    """What is left of a choice when some conditions are known."""
    if not isinstance(value, Alternatives) or not facts:
        return value
    kept = [
        (labels, option)
        for labels, option in value.options
        if all(facts.get(condition, truth) is truth for condition, truth in labels)
    ]
    if not kept or len(kept) == len(value.options):
        return value
    return kept[0][1] if len(kept) == 1 else Alternatives(tuple(kept))


def map_alternatives(value: Value, function: Callable[[Value], Value]) -> Value:
    """Apply a function to each alternative."""
    if isinstance(value, Alternatives):
        return choose([(labels, function(option)) for labels, option in value.options])
    return function(value)


# --- conditions ---------------------------------------------------------------------------------------------------


def normal(condition: Value) -> Condition:
    """A condition without its negations, and the truth that the original asks of it."""
    truth = True
    while True:
        if isinstance(condition, Apply) and condition.operator == "not":
            condition, truth = condition.operands[0], not truth
        elif isinstance(condition, Apply) and condition.operator in ("!=", "not in", "is not"):
            condition, truth = Apply(OPPOSITE[condition.operator], condition.operands), not truth
        elif isinstance(condition, Alternatives) and (switch := _switch(condition)) is not None:
            condition, truth = switch[0], switch[1] is truth
        else:
            return condition, truth


def _switch(value: Alternatives) -> Condition | None:
    """The condition that decides between something true and something false: `y = 3 if c else 0` is true if `c` is."""
    if len(value.options) != 2:
        return None
    (first, one), (second, other) = value.options
    truth = truth_of(one)
    if truth is None or truth_of(other) is not (not truth) or len(first) != 1 or len(second) != 1:
        return None
    ((condition, arm),), ((opposite, other_arm),) = first, second
    return (condition, arm is truth) if condition == opposite and arm is not other_arm else None


def consequences(condition: Value, truth: bool) -> list[Condition]:
    """All that is known when a condition has a truth: `a and b` being true makes both true."""
    condition, wanted = normal(condition)
    truth = truth is wanted
    out = [(condition, truth)]
    if isinstance(condition, Apply) and (
        (condition.operator == "and" and truth) or (condition.operator == "or" and not truth)
    ):
        for operand in condition.operands:
            out.extend(consequences(operand, truth))
    return out


def in_order(conditions: frozenset[Condition]) -> list[Condition]:
    """The conditions of a label in an order that does not depend on their hashes, which are never the same twice."""
    if len(conditions) < 2:
        return list(conditions)
    return sorted(conditions, key=lambda condition: (_spelled(condition[0]), condition[1]))


def _spelled(part: object) -> str:
    """A text for a value by which values can be sorted."""
    if isinstance(part, tuple):
        return " ".join(map(_spelled, cast("tuple[object, ...]", part)))
    if isinstance(part, Unknown):
        return _spelled(part.origin)
    if isinstance(part, Apply):
        return f"{part.operator} {_spelled(part.operands)}"
    if isinstance(part, Alternatives):
        return _spelled(tuple(option for _, option in part.options))
    if isinstance(part, Object):
        return _spelled(tuple(part.location))
    if isinstance(part, (Symbol, Setting, Flag)):
        return part.name
    if isinstance(part, (Const, Rank, WorldSize, str, int)):
        return str(part)
    return type(part).__name__


def is_repeatable(value: Value) -> bool:
    """Whether an equal value is the same one: nothing in it is an unknown without an origin."""
    if isinstance(value, Unknown):
        return value.origin is not None
    if isinstance(value, Alternatives):  # the conditions share much, and to go through them again and again is slow
        return all(is_repeatable(option) for _, option in value.options)
    return not isinstance(value, (Apply, Items, Table)) or all(map(is_repeatable, _operands(value)))


def negate(value: Value) -> Value:
    """`not value`."""
    known = truth_of(value)
    if known is not None:
        return FALSE if known else TRUE
    if isinstance(value, Apply):
        if value.operator == "not":
            return value.operands[0]
        if value.operator in OPPOSITE:
            return Apply(OPPOSITE[value.operator], value.operands)
    return Apply("not", (value,))


def truth_of(value: Value, facts: Facts | None = None) -> bool | None:
    """Whether a value is true in the distributed run that we look at; None when that is not decided."""
    if isinstance(value, Const):
        return bool(value.value)
    if facts:
        condition, wanted = normal(value)
        known = facts.get(condition)
        if known is not None:
            return known is wanted
    if isinstance(value, Unknown):
        return None
    if isinstance(value, Apply):
        if value.operator == "not":
            inner = truth_of(value.operands[0], facts)
            return None if inner is None else not inner
        if value.operator in ("and", "or"):
            wanted = value.operator == "or"
            inner_truths = [truth_of(operand, facts) for operand in value.operands]
            if wanted in inner_truths:
                return wanted
            return None if None in inner_truths else not wanted
        if value.operator == "text":
            return True if value.operands else None
        return True if value.operator == "encoded" else None
    if isinstance(value, Alternatives):
        truths = {truth_of(option, facts) for _, option in value.options}
        return truths.pop() if len(truths) == 1 else None
    if isinstance(value, Object):
        return None if value.kind in ("tensor", "other", "namespace", "path") else True
    if isinstance(value, (Items, Table)):
        return True if value.items else (None if value.open else False)
    if isinstance(value, Rank):
        return True if value.text else None
    if isinstance(value, Flag):
        return True if value.name == "distributed" else None
    return True if isinstance(value, (WorldSize, FunctionRef, ClassRef, ModuleRef, Bound)) else None


# --- operators ----------------------------------------------------------------------------------------------------


def apply(name: str, *operands: Value) -> Value:
    """An operation that cannot be computed; one that grew too large is unknown, but keeps what it depends on."""
    if sum([operand.size for operand in operands]) > _LARGEST_OPERATION:
        return Unknown(None, tags_of_all(operands))
    return Apply(name, operands)


def arithmetic(sign: str, left: Value, right: Value) -> Value:
    """`left sign right`."""
    if isinstance(left, Const) and isinstance(right, Const) and sign in _ARITHMETIC:
        try:
            result = bounded.compute(sign, left.value, right.value)
        except (TypeError, ValueError, ArithmeticError):
            return Unknown()
        return Const(result) if isinstance(result, (bool, int, float, str)) else Unknown()
    if sign == "%" and isinstance(left, Const) and isinstance(left.value, str):
        values = right.items if isinstance(right, Items) and right.kind == "tuple" else (right,)
        return fill_in(_PERCENT.split(left.value), values) or apply(sign, left, right)
    if isinstance(left, Items) and isinstance(right, Items) and sign == "+":
        return Items(left.kind, left.items + right.items, left.open or right.open)
    if isinstance(left, Items) and sign == "*" and left.kind == "list":
        if isinstance(right, Const) and isinstance(right.value, int) and 0 <= right.value * len(left.items) <= 16:
            return Items(left.kind, left.items * right.value, left.open)
        return apply("*", left, right)
    if isinstance(left, Alternatives) or isinstance(right, Alternatives):
        return spread(lambda a, b: arithmetic(sign, a, b), left, right)
    if sign == "+" and Const(0) in (left, right):
        return right if left == Const(0) else left
    return (_global_rank(left, right) if sign == "+" else None) or apply(sign, left, right)


def _global_rank(left: Value, right: Value) -> Rank | None:
    """`node_rank * processes_per_node + local_rank`: the rank in the whole job, however the node's number is called."""
    first, local = (left, right) if isinstance(right, Rank) else (right, left)
    if not isinstance(local, Rank) or local.scope != "local" or local.text:
        return None
    if not isinstance(first, Apply) or first.operator != "*":
        return None
    nodes = [part for part in first.operands if isinstance(part, Rank) and part.scope in ("node", "global")]
    if len(nodes) != 1 or any(tags_of(part) & RANK_TAGS for part in first.operands if part is not nodes[0]):
        return None
    return Rank("global", source=nodes[0].source)


def fill_in(pieces: Sequence[str], values: Sequence[Value]) -> Value | None:
    """The text with values between its pieces; None when their numbers do not fit."""
    if len(pieces) != len(values) + 1:
        return None
    parts: list[Value] = [Const(pieces[0])]
    for value, piece in zip(values, pieces[1:], strict=True):
        parts += [value, Const(piece)]
    if all(isinstance(part, Const) for part in parts):
        return constant_text(parts)
    return apply("text", *(part for part in parts if part != Const("")))


def constant_text(parts: Iterable[Value], location: Location | None = None) -> Value:
    """The texts of constants, one after the other."""
    try:
        return Const(bounded.joined(*(part.value for part in parts if isinstance(part, Const))), location)
    except bounded.TooLarge:
        return Unknown()


def spread(function: Callable[[Value, Value], Value], left: Value, right: Value) -> Value:
    """Apply a function of two values to all pairs of their alternatives, if there are few."""
    if isinstance(left, Alternatives) and not isinstance(right, Alternatives):
        return choose([(labels, function(option, right)) for labels, option in left.options])
    if isinstance(right, Alternatives) and not isinstance(left, Alternatives):
        return choose([(labels, function(left, option)) for labels, option in right.options])
    return Unknown(None, tags_of(left) | tags_of(right))


def bounds(value: Value) -> tuple[int, int | None] | None:
    """Least and greatest integer that a value may be; None when it is no integer that we know of."""
    if isinstance(value, Const) and isinstance(value.value, int):
        return int(value.value), int(value.value)
    if isinstance(value, Rank) and not value.text:
        return 0, None
    if isinstance(value, WorldSize) and not value.text:
        return (2, None) if value.scope == "global" else (1, None)
    if isinstance(value, DeviceCount):
        return 0, None
    return None


def compare(sign: str, left: Value, right: Value) -> Value:
    """`left sign right`: a constant where it is decided."""
    if isinstance(left, Alternatives) or isinstance(right, Alternatives):
        return spread(lambda a, b: compare(sign, a, b), left, right)
    decided = _decide(sign, left, right)
    if decided is not None:
        return TRUE if decided else FALSE
    return apply(sign, left, right)


def _decide(sign: str, left: Value, right: Value) -> bool | None:
    if sign in ("is", "is not"):
        same = _same(left, right)
        return None if same is None else same is (sign == "is")
    if sign in ("in", "not in"):
        if not isinstance(right, Items) or right.open:
            if isinstance(right, Table) and not right.open and isinstance(left, Const):
                return (left in [key for key, _ in right.items]) is (sign == "in")
            if isinstance(left, Const) and isinstance(right, Const) and isinstance(left.value, str):
                return (left.value in right.value) is (sign == "in") if isinstance(right.value, str) else None
            return None
        decisions = [_decide("==", left, item) for item in right.items]
        if True in decisions:
            return sign == "in"
        return None if None in decisions else sign != "in"
    if isinstance(left, Const) and isinstance(right, Const):
        try:
            return bool(_ORDER[sign](left.value, right.value))
        except TypeError:
            return None
    if sign in ("==", "!=") and (left == NONE or right == NONE):
        same = _same(left, right)
        return None if same is None else same is (sign == "==")
    first, second = bounds(left), bounds(right)
    if first is None or second is None:
        if sign in ("==", "!=") and left is right and isinstance(left, (Object, Symbol)):
            return sign == "=="
        return None
    return _decide_ranges(sign, first, second)


def _decide_ranges(sign: str, first: tuple[int, int | None], second: tuple[int, int | None]) -> bool | None:
    low, high = first
    other_low, other_high = second
    if sign in (">", ">="):
        return _decide_ranges(_MIRRORED[sign], second, first)
    if sign == "<":
        if high is not None and high < other_low:
            return True
        return False if other_high is not None and low >= other_high else None
    if sign == "<=":
        if high is not None and high <= other_low:
            return True
        return False if other_high is not None and low > other_high else None
    apart = (high is not None and high < other_low) or (other_high is not None and other_high < low)
    equal = low == high == other_low == other_high
    if apart or equal:
        return equal is (sign == "==")
    return None


def _same(left: Value, right: Value) -> bool | None:
    """`left is right`, decided where one side is None."""
    if left == NONE and right == NONE:
        return True
    other = right if left == NONE else left if right == NONE else None
    if other is None:
        if isinstance(left, (Object, ClassRef, FunctionRef)) and isinstance(right, (Object, ClassRef, FunctionRef)):
            return left == right
        return _decide("==", left, right) if isinstance(left, Const) and isinstance(right, Const) else None
    if isinstance(other, (Const, Rank, WorldSize, DeviceCount, Items, Table, Object, FunctionRef, ClassRef, ModuleRef)):
        return False
    if isinstance(other, Apply) and other.operator in ("text", "range", "+", "-", "*", "//", "%"):
        return False
    return None


# --- dependence ---------------------------------------------------------------------------------------------------

_RANK_TAGS: dict[str, Tags] = {
    "global": frozenset({RANK}),
    "local": frozenset({LOCAL_RANK}),
    "node": frozenset({NODE_RANK}),
    "group": frozenset({GROUP_RANK}),
}
RANK_TAGS: Tags = frozenset({RANK, LOCAL_RANK, NODE_RANK, GROUP_RANK})
"""Tags of values that differ between processes because of their number."""

LOCAL_TAGS: Tags = frozenset({TIME, RANDOM, DATA, SHARE})
"""Tags of values that may differ between processes for another reason."""


def as_gradients(value: Value, location: Location, heap: Heap) -> Value:
    """What the call at this place gave, as gradients: those of earlier calls are no part of them."""
    own = Tag.at(TagKind.GRADIENT, location)
    return _retagged(value, lambda tags: _without(tags, TagKind.GRADIENT) | {own}, heap)


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


def is_gradient(value: Value, heap: Heap) -> bool:
    """Whether a value was computed from gradients that a call gave."""
    return any(tag.kind is TagKind.GRADIENT for tag in tags_now(value, heap))


def tagged(value: Value, tags: Tags, heap: Heap) -> Value:
    """A value that depends on more than it shows."""
    return _retagged(value, lambda known: known | tags, heap)


def _retagged(value: Value, change: Callable[[Tags], Tags], heap: Heap) -> Value:
    if isinstance(value, Alternatives):
        return Alternatives(tuple((labels, _retagged(option, change, heap)) for labels, option in value.options))
    if isinstance(value, Items):
        return Items(value.kind, tuple(_retagged(item, change, heap) for item in value.items), value.open)
    if isinstance(value, Table):
        return Table(tuple((key, _retagged(item, change, heap)) for key, item in value.items), value.open)
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


def tags_of(value: Value) -> Tags:
    """What a value was computed from; see `Unknown`."""
    if isinstance(value, (Unknown, Object)):
        return value.tags
    if isinstance(value, Rank):
        return _RANK_TAGS[value.scope]
    if isinstance(value, (Apply, Items, Table, Alternatives)):
        known = value.tags
        if known is None:
            known = tags_of_all(_operands(value))
            value.tags = known  # computed once; not part of the value
        return known
    return NO_TAGS


def tags_now(value: Value, heap: Heap) -> Tags:
    """As `tags_of`; objects that were changed in place depend on what they were changed with."""
    if isinstance(value, Object):
        changed = heap.get(value, Fact.TAGS)
        return value.tags if changed is None else changed
    if any(heap.get(made, Fact.TAGS) is not None for made in _inner(value)):
        parts = _operands(value) if isinstance(value, (Apply, Items, Table, Alternatives)) else ()
        return NO_TAGS.union(*(tags_now(part, heap) for part in parts))
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
            for part in _operands(value):
                found = _inner(part)
                known = known | found if found else known
            value.inner = known  # computed once, as the tags are
        return known
    return _NO_OBJECTS


def _operands(value: Apply | Items | Table | Alternatives) -> Iterable[Value]:
    if isinstance(value, Apply):
        return value.operands
    if isinstance(value, Items):
        return value.items
    if isinstance(value, Table):
        return [part for pair in value.items for part in pair]
    conditions = [condition for labels, _ in value.options for condition, _ in labels]
    return [*(option for _, option in value.options), *conditions]


def is_divided(loader: Object, heap: Heap) -> bool:
    """Whether a loader surely gives each rank a part of the data of its own."""
    if loader.traits.get("shards_data"):
        return True
    if loader.kind == "dataset":
        return bool(tags_of_all(loader.given.values()) & RANK_TAGS)
    if loader.kind in ("sampler", "batch_sampler") and loader.definition is not None:
        return bool(tags_of_all((*loader.given.values(), *heap.attributes(loader).values())) & RANK_TAGS)
    inner = (loader.given.get(name) for name in ("sampler", "batch_sampler", "dataset"))
    return any(
        isinstance(option, Object) and is_divided(option, heap)
        for value in inner
        if value is not None
        for option in alternatives(value)
    )


PLAIN = frozenset({"path", "tensor", "device", "other", "generator"})
"""Kinds of objects that are little more than a value: what they depend on is what they were made of."""


def last_word(value: Unknown) -> str:
    """The name under which something unknown was read, if it was read by name."""
    origin: Any = value.origin
    return origin[-1] if isinstance(origin, tuple) and origin and isinstance(origin[-1], str) else ""


def tags_of_all(values: Iterable[Value]) -> Tags:
    """What several values together were computed from."""
    found: Tags = NO_TAGS
    for value in values:
        tags = tags_of(value)
        if tags:
            found = found | tags if found else tags
    return found


def objects_in(value: Value, *, deep: bool = True) -> list[Object]:
    """The objects that stand in a value: itself, in its elements, in its alternatives."""
    found: list[Object] = []
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, Object):
            found.append(node)
        elif isinstance(node, Items):
            stack.extend(node.items)
        elif isinstance(node, Table):
            stack.extend(part for _, part in node.items)
        elif isinstance(node, Alternatives):
            stack.extend(option for _, option in node.options)
        elif deep and isinstance(node, Apply):
            stack.extend(node.operands)
        elif isinstance(node, Bound):
            stack.extend(node.args)
    return found
