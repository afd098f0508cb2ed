"""What can be reached in a graph."""

from __future__ import annotations

import random

import pytest

from ddl_lint.analysis.interpreter.project.closures import Closures


def reached(starts: list[str], edges: dict[str, list[str]]) -> frozenset[str]:
    found, waiting = set[str](), list(starts)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += edges.get(node, [])
    return frozenset(found)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_reached(seed: int) -> None:
    chance = random.Random(seed)
    nodes = [f"n{number}" for number in range(chance.randint(1, 14))]
    edges = {node: chance.choices(nodes, k=chance.randint(0, 2)) for node in nodes if chance.random() < 0.9}
    closures = Closures(edges)
    for node in chance.sample(nodes, len(nodes)):
        assert closures.of(node) == reached([node], edges)
        some = chance.sample(nodes, chance.randint(0, len(nodes)))
        assert closures.of_all(some) == reached(some, edges)


def test_the_members_of_a_ring_share_their_answer() -> None:
    ring = {f"n{number}": [f"n{(number + 1) % 5000}"] for number in range(5000)}
    closures = Closures(ring)
    assert closures.of("n7") is closures.of("n3000")
    assert closures.of_all(["n1", "n2"]) is closures.of("n1")
    assert len(closures.of("n1")) == 5000
