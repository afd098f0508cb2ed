"""When garbage is collected: where much has come, and without what stays."""

from __future__ import annotations

import gc
import sys

import pytest

from ddl_lint.garbage import Garbage


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The blocks of memory that there are, and how often garbage was collected."""
    state = [1_000_000, 0]

    def collect() -> int:
        state[1] += 1
        return 0

    monkeypatch.setattr(sys, "getallocatedblocks", lambda: state[0])
    monkeypatch.setattr(gc, "collect", collect)
    return state


def test_much_that_has_come_is_worth_a_collection(memory: list[int]) -> None:
    garbage = Garbage()
    for blocks, collections in ((1_200_000, 0), (1_300_000, 1), (1_600_000, 1), (1_700_000, 2), (900_000, 2)):
        memory[0] = blocks
        garbage.collect()
        assert memory[1] == collections, blocks


def test_very_much_is_whatever_its_share(memory: list[int]) -> None:
    memory[0] = 10_000_000
    garbage = Garbage()
    memory[0] += 700_000
    garbage.collect()
    assert memory[1] == 1


def test_little_is_not_whatever_its_share(memory: list[int]) -> None:
    memory[0] = 10_000
    garbage = Garbage()
    memory[0] = 200_000
    garbage.collect()
    assert memory[1] == 0


@pytest.mark.parametrize(("blocks", "is_much"), [(1_000_000, False), (2_000_000, True)])
def test_what_stays_is_left_aside_where_it_is_much(
    memory: list[int], blocks: int, is_much: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    monkeypatch.setattr(gc, "freeze", lambda: steps.append("freeze"))
    monkeypatch.setattr(gc, "unfreeze", lambda: steps.append("unfreeze"))
    memory[0] = blocks
    with pytest.raises(KeyError), Garbage().left_aside():
        steps.append("follow")
        raise KeyError
    assert steps == (["freeze", "follow", "unfreeze"] if is_much else ["follow"])
