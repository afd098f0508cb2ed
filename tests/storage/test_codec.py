"""Data to bytes and back, and nothing but data."""

from __future__ import annotations

import os
import pickle
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import pytest

from ddl_lint.storage import Codec


@dataclass(slots=True, eq=False)
class Node:
    start: int
    value: object


class Place(NamedTuple):
    path: str
    start: int


class Colour(str, Enum):
    RED = "red"


@dataclass
class Stranger:
    value: int


CODEC = Codec([Node, Place, Colour])


class Attack:
    def __reduce__(self) -> Any:
        return os.system, ("echo attacked",)


@pytest.mark.parametrize(
    "value",
    [None, ..., 1 << 100, 2j, 1.5, "\udc80", b"\0", (1, [2, {"a": frozenset({3})}]), Place("a.py", 3), Colour.RED],
)
def test_plain_values(value: object) -> None:
    read = CODEC.decode(CODEC.encode(value))
    assert read == value and type(read) is type(value)


class Mark(NamedTuple):
    path: str
    colour: Colour


class Deceit(Place):
    """A named tuple that does more than a `NamedTuple` can."""


def test_classes_at_home() -> None:
    codec = Codec([], [__name__])
    read = codec.decode(codec.encode([Mark("a.py", Colour.RED)]))
    assert read == [Mark("a.py", Colour.RED)] and type(read[0]) is Mark
    with pytest.raises(ValueError):
        codec.encode(Deceit("a.py", 1))


def test_objects_that_occur_twice() -> None:
    node = Node(1, "x")
    first, (second,) = CODEC.decode(CODEC.encode((node, [node])))
    assert first is second and (first.start, first.value) == (1, "x")


@pytest.mark.parametrize("value", [Stranger(1), [Stranger(1)], len, Node(1, Attack())])
def test_what_is_no_data_is_not_written(value: object) -> None:
    with pytest.raises(ValueError):
        CODEC.encode(value)


@pytest.mark.parametrize("value", [Attack(), Stranger(1), len, [Node(1, 2), Attack()]])
def test_what_is_no_data_is_not_read(value: object, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError):
        CODEC.decode(pickle.dumps(value))
    assert capfd.readouterr().out == ""


def test_damaged_bytes() -> None:
    good = CODEC.encode([Node(1, "text"), Place("a", 2)])
    for cut in range(len(good)):
        with pytest.raises(ValueError):
            CODEC.decode(good[:cut])


def test_depth_without_end() -> None:
    node = Node(0, None)
    for _ in range(100_000):
        node = Node(0, node)
    with pytest.raises(ValueError):
        CODEC.encode(node)
