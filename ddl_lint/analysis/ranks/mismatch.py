"""Compares the executions of two processes: the steps at which they do not meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TypeAlias

from ddl_lint.analysis.ranks.execution import Execution
from ddl_lint.analysis.ranks.simulation import Simulation
from ddl_lint.analysis.ranks.timeline import TimelineStep
from ddl_lint.analysis.values.visitors import is_repeatable
from ddl_lint.program.values import Const, Value


@dataclass(frozen=True, eq=False)
class Gap:
    """A step of one of two processes that the other one does not match."""

    step: TimelineStep
    by_first: bool
    instead: TimelineStep | None
    same_place: bool
    """Both make a call here, but not the same one."""


_Key: TypeAlias = "tuple[object, ...]"
_Steps: TypeAlias = Sequence[TimelineStep]


def gaps(one: Simulation, first: Execution, other: Simulation, second: Execution) -> list[Gap]:
    """The steps at which two executions do not meet; none when they are equal in kind and order."""
    shared = set(first.steps) & set(second.steps)
    mine = [step for step in first.steps if not (step.opaque and step in shared)]
    theirs = [step for step in second.steps if not (step.opaque and step in shared)]
    my_keys, their_keys = [_key(one, step) for step in mine], [_key(other, step) for step in theirs]
    if my_keys == their_keys:
        return _crossed([step for step in mine if step not in shared], [step for step in theirs if step not in shared])
    if any(step.opaque for step in (*mine, *theirs)):
        return _beside_opaque(one, mine, other, theirs, shared)
    if Counter(my_keys) == Counter(their_keys):
        return _reordered(mine, my_keys, theirs, their_keys, shared)
    found: list[Gap] = []
    for left, right, following in _stretches(mine, theirs, shared):
        found.extend(_unequal(one, left, other, right, following))
    found.extend(
        Gap(step, True, None, False) for step in mine if step in shared and _key(one, step) != _key(other, step)
    )
    return found


def _key(simulation: Simulation, step: TimelineStep) -> _Key:
    return (step.operation, *(simulation.iterations(node) for node in step.loops))


def _beside_opaque(
    one: Simulation, mine: _Steps, other: Simulation, theirs: _Steps, shared: set[TimelineStep]
) -> list[Gap]:
    """Gaps where some calls are not known.

    If only one process does something alone, the other has nothing that could meet it. Otherwise ranks go in step up to
    the first unknown call that one of them makes alone; what comes later may well be balanced.
    """
    stretches = [
        (left, right, following)
        for left, right, following in _stretches(mine, theirs, shared)
        if [_key(one, step) for step in left] != [_key(other, step) for step in right]
    ]
    both = any(left for left, _, _ in stretches) and any(right for _, right, _ in stretches)
    found: list[Gap] = []
    for left, right, following in stretches:
        if both and any(step.opaque for step in (*left, *right)):
            break
        known = [step for step in left if not step.opaque], [step for step in right if not step.opaque]
        found.extend(_unequal(one, known[0], other, known[1], following))
    return found


def _reordered(
    mine: _Steps, my_keys: list[_Key], theirs: _Steps, their_keys: list[_Key], shared: set[TimelineStep]
) -> list[Gap]:
    """Both make the same calls in different order: the first that does not fit.

    Calls that only hand their work over (Horovod's `allreduce_async`) are put in order by the library.
    """
    if any(_is_handed_over(step) for step in (*mine, *theirs) if step not in shared):
        return []
    index = next(index for index, pair in enumerate(zip(my_keys, their_keys, strict=True)) if pair[0] != pair[1])
    if mine[index] in shared:
        return [Gap(theirs[index], False, mine[index], True)]
    return [Gap(mine[index], True, theirs[index], True)]


def _is_handed_over(step: TimelineStep) -> bool:
    return step.event is not None and step.event.constants.get("asynchronous") is True


def _stretches(
    first: _Steps, second: _Steps, shared: set[TimelineStep]
) -> Iterator[tuple[_Steps, _Steps, TimelineStep | None]]:
    """What each of two executions has alone between the steps that both have, and the shared step that follows."""
    for (left, anchor), (right, _) in zip(_split(first, shared), _split(second, shared), strict=True):
        yield left, right, anchor


def _split(steps: _Steps, shared: set[TimelineStep]) -> list[tuple[_Steps, TimelineStep | None]]:
    out: list[tuple[_Steps, TimelineStep | None]] = []
    current: list[TimelineStep] = []
    for step in steps:
        if step in shared:
            out.append((current, step))
            current = []
        else:
            current.append(step)
    out.append((current, None))
    return out


def _unequal(
    one: Simulation, left: _Steps, other: Simulation, right: _Steps, following: TimelineStep | None
) -> Iterator[Gap]:
    left_keys, right_keys = [_key(one, step) for step in left], [_key(other, step) for step in right]
    if left_keys == right_keys:
        yield from _crossed(left, right)
        return
    if any(step.event is not None for step in (*left, *right)):
        # Who leaves a loop misses the calls after it: they tell more than the end of the loop.
        left, right = [step for step in left if step.exit is None], [step for step in right if step.exit is None]
        left_keys, right_keys = [_key(one, step) for step in left], [_key(other, step) for step in right]
    only_left, only_right = Counter(left_keys) - Counter(right_keys), Counter(right_keys) - Counter(left_keys)
    if left and right and bool(only_left) == bool(only_right):
        pairs = enumerate(zip(left_keys, right_keys, strict=False))
        index = next((index for index, pair in pairs if pair[0] != pair[1]), None)
        if index is not None:
            yield Gap(left[index], True, right[index], True)  # each makes calls here that the other does not
        return
    matcher = SequenceMatcher(None, left_keys, right_keys, autojunk=False)
    for tag, left_start, left_end, right_start, right_end in matcher.get_opcodes():
        if tag == "equal":
            continue
        for step in left[left_start:left_end]:
            yield Gap(step, True, next(iter(right[right_end:]), following), False)
        for step in right[right_start:right_end]:
            yield Gap(step, False, next(iter(left[left_end:]), following), False)


def _crossed(left: _Steps, right: _Steps) -> list[Gap]:
    """Equal calls on unequal things: of another root, or on the same tensors in another order."""
    for mine, theirs in zip(left, right, strict=True):
        one, other = _operand(mine, "root"), _operand(theirs, "root")
        if isinstance(one, Const) and isinstance(other, Const) and one != other:
            return [Gap(mine, True, theirs, True)]
    tensors, others = [_operand(step, "tensor") for step in left], [_operand(step, "tensor") for step in right]
    if tensors == others or None in tensors or not all(is_repeatable(part) for part in tensors if part is not None):
        return []
    if len(set(tensors)) == len(tensors) and Counter(tensors) == Counter(others):
        index = next(index for index, pair in enumerate(zip(tensors, others, strict=True)) if pair[0] != pair[1])
        return [Gap(left[index], True, right[index], True)]
    return []


def _operand(step: TimelineStep, role: str) -> Value | None:
    return step.event.operands.get(role) if step.event is not None else None
