"""One of several values: choosing, joining, pruning."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from ddl_lint.analysis.values.conditions import (
    ANSWERS,
    Condition,
    Facts,
    consequences,
    denied,
    exclude,
    normal,
    truth_of,
)
from ddl_lint.analysis.values.tags import tags_of, tags_of_all
from ddl_lint.program.values import NONE, Alternatives, Apply, Items, Table, Unknown, Value

ALWAYS: frozenset[Condition] = frozenset()
"""The conditions of a value that is no choice."""

_MOST_ALTERNATIVES = 8

_MOST_CONDITIONS = 8

_LARGEST_CHOICE = 600


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
        known = _all_known(conditions)
        for inner, single in value.options if isinstance(value, Alternatives) else ((ALWAYS, value),):
            if known and inner and any(denied(label, known) for label in inner):
                continue  # the two never hold together
            labels = conditions | inner
            if len(labels) > _MOST_CONDITIONS:
                labels = conditions
            merged[single] = _in_both(merged[single], labels) if single in merged else labels
    if not merged:
        return Unknown(None)
    if len(merged) == 1:
        return next(iter(merged))
    if len(merged) > _MOST_ALTERNATIVES:
        merged = _with_one_unknown(merged)
    if len(merged) > _MOST_ALTERNATIVES or sum([value.size for value in merged]) > _LARGEST_CHOICE:
        return _one_dict(merged) or Unknown(None, tags_of_all(merged))
    if len(merged) == 1:
        return next(iter(merged))
    return Alternatives(tuple((labels, value) for value, labels in merged.items()))


def _in_both(one: frozenset[Condition], other: frozenset[Condition]) -> frozenset[Condition]:
    """What holds whichever of two sets of conditions does: what is in both, and what one says and the other implies, as
    `kind == "a"` does that `kind == "b"` is false.
    """
    common = one & other
    if len(common) == min(len(one), len(other)):
        return common
    implied = [
        (condition, truth)
        for mine, others in ((one - common, other), (other - common, one))
        for condition, truth in mine
        if any(exclude((condition, not truth), each) for each in others)
    ]
    return common.union(implied) if implied else common


def _with_one_unknown(options: dict[Value, frozenset[Condition]]) -> dict[Value, frozenset[Condition]]:
    """The same options, with one for all of which nothing is known, so that the objects among them are not lost."""
    unknown = [value for value in options if isinstance(value, Unknown)]
    if len(unknown) < 2:
        return options
    labels = frozenset[Condition].intersection(*(options[value] for value in unknown))
    known: dict[Value, frozenset[Condition]] = {
        value: each for value, each in options.items() if not isinstance(value, Unknown)
    }
    return {**known, Unknown(None, tags_of_all(unknown)): labels}


def _one_dict(options: Collection[Value]) -> Table | None:
    """A dict that may be any of many, so that their keys do not come to depend on what their values do."""
    tables = [option for option in options if isinstance(option, Table)]
    if len(tables) < len(options) or any(tags_of(key) for table in tables for key, _ in table.items):
        return None
    if not all(table.items for table in tables):
        return Table((), open=True)
    values = tags_of_all([value for table in tables for _, value in table.items])
    return Table(((Unknown(None), Unknown(None, values)),), open=True)


@lru_cache(maxsize=64)  # where two ways meet, each thing that they have written asks this of the same conditions
def _all_known(conditions: frozenset[Condition]) -> Mapping[Value, bool]:
    """These conditions, and what follows from those that are themselves one of several."""
    known = dict(conditions)
    known.update((part, holds) for each, truth in conditions for part, holds in _implied(each, truth))
    return known


def _implied(condition: Value, truth: bool) -> list[Condition]:
    """What follows from a condition that is itself one of several."""
    if not isinstance(condition, Alternatives):
        return []
    return [known for known in consequences(condition, truth) if known[0] is not condition]


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
    value = _narrowed(value, facts)
    if not isinstance(value, Alternatives):
        return value
    kept = [(labels, option) for labels, option in value.options if _may_hold(labels, facts)]
    if not kept or len(kept) == len(value.options):
        return value
    return kept[0][1] if len(kept) == 1 else _narrowed(Alternatives(tuple(kept)), facts)


def _may_hold(labels: frozenset[Condition], facts: Facts) -> bool:
    """Whether no condition is known to be otherwise."""
    for condition, truth in labels:  # noqa: SIM110 (`all` costs more than what it asks here)
        if facts.get(condition, truth) is not truth:
            return False
    return True


def answer_each(subject: Value, test: Callable[[Value], Value]) -> Value:
    """A test of each alternative. The labels of two tell which answer holds; of more, those with the same answer
    have not all of their labels in common, so the answers keep their place.
    """
    if isinstance(subject, Alternatives) and (len(subject.options) > 2 or not are_all_labelled(subject)):
        answers = tuple(test(option) for _, option in subject.options)
        if len(set(answers)) > 1 and any(truth_of(answer) is not None for answer in answers):
            return Apply(ANSWERS, (subject, Items("tuple", answers)))
    return map_alternatives(subject, test)


def are_all_labelled(value: Alternatives) -> bool:
    """Whether something is known of when each option holds."""
    return all(labels for labels, _ in value.options)


def _narrowed(value: Alternatives, facts: Facts) -> Value:
    """What is left of a choice of which the answers to some tests are known."""
    left: Sequence[int] = range(len(value.options))
    for condition, truth in facts.items():
        if isinstance(condition, Apply) and condition.operator == ANSWERS and condition.operands[0] == value:
            answers = condition.operands[1]
            held = answers.items if isinstance(answers, Items) else ()
            left = [place for place in left if place < len(held) and truth_of(held[place]) is not (not truth)]
    if not left or len(left) == len(value.options):
        return value
    kept = [value.options[place] for place in left]
    return kept[0][1] if len(kept) == 1 else Alternatives(tuple(kept))


def map_alternatives(value: Value, function: Callable[[Value], Value]) -> Value:
    """Apply a function to each alternative."""
    if isinstance(value, Alternatives):
        return choose([(labels, function(option)) for labels, option in value.options])
    return function(value)


def keys_alone(value: Value) -> Value:
    """What the length of a value, and a loop over it, depend on: the keys of a dict, whatever it has for them."""
    return map_alternatives(value, _with_no_values)


def _with_no_values(value: Value) -> Value:
    if not isinstance(value, Table):
        return value
    return Table(tuple((key, NONE) for key, _ in value.items), value.open)


def spread(function: Callable[[Value, Value], Value], left: Value, right: Value) -> Value:
    """Apply a function of two values to all pairs of their alternatives, if there are few."""
    if isinstance(left, Alternatives) and not isinstance(right, Alternatives):
        return choose([(labels, function(option, right)) for labels, option in left.options])
    if isinstance(right, Alternatives) and not isinstance(left, Alternatives):
        return choose([(labels, function(left, option)) for labels, option in right.options])
    return Unknown(None, tags_of(left) | tags_of(right))
