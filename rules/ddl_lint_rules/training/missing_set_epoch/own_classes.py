"""Samplers and data sets of the project, whose order depends on an epoch that somebody has to set."""

from __future__ import annotations

from collections.abc import Iterator

from ddl_lint.rulekit import FALSE, ClassRef, Const, Heap, Object, Value, code, objects, walk

_GOES_THROUGH = "__iter__"


def held_samplers(heap: Heap, sampler: Object) -> Iterator[Object]:
    """The samplers that one of the project goes through to put its own batches, or its own order, together."""
    read = _mentioned(sampler, _GOES_THROUGH)
    for name, value in heap.attributes(sampler).items():
        if name in read:
            yield from objects(value, "sampler")


def keeps_epoch(sampler: Object) -> bool:
    """Whether a sampler of the project that derives from one of a library still takes the epoch that is set there."""
    methods = [each for each in _methods(sampler) if each.name in (_GOES_THROUGH, "set_epoch")]
    if any(each.name == "set_epoch" for each in methods):
        return False
    return not _counts(sampler, "epoch") and all(
        "epoch" in each.mentions or {"super", _GOES_THROUGH} <= each.mentions for each in methods
    )


def waits_for_epoch(heap: Heap, made: Object) -> bool:
    """Whether the order of a sampler or data set depends on an attribute that only its `set_epoch` changes, which has
    surely kept the number that the constructor gave it.
    """
    if made.definition is None or heap.is_escaped(made):
        return False
    attributes = heap.attributes(made)
    if attributes.get("shuffle") == FALSE:
        return False
    names = _mentioned(made, "set_epoch") & _mentioned(made, _GOES_THROUGH) & attributes.keys()
    numbers = [name for name in names if _is_whole(attributes[name])]
    return bool(numbers) and len(numbers) == len(names) and not any(_counts(made, name) for name in numbers)


def _is_whole(value: Value) -> bool:
    return isinstance(value, Const) and type(value.value) is int


def _methods(made: Object) -> Iterator[code.Function]:
    """The methods of the class of an object, and of those of the project that it derives from."""
    waiting: list[Value] = [made.definition] if made.definition is not None else []
    while waiting:
        owner = waiting.pop()
        if isinstance(owner, ClassRef):
            yield from (each for each in owner.definition.body if isinstance(each, code.Function))
            waiting.extend(owner.bases)


def _mentioned(made: Object, method: str) -> frozenset[str]:
    return frozenset(word for each in _methods(made) if each.name == method for word in each.mentions)


def _counts(made: Object, name: str) -> bool:
    """Whether a method other than the constructor and `set_epoch` assigns an attribute, as one that counts does."""
    return any(
        isinstance(target, code.Attribute) and target.attr == name
        for each in _methods(made)
        if each.name not in ("__init__", "set_epoch") and name in each.mentions
        for node in walk(*each.body)
        for target in _targets(node)
    )


def _targets(node: object) -> list[code.Expression]:
    if isinstance(node, code.Assign):
        return node.targets
    return [node.target] if isinstance(node, code.Augment) else []
