"""What a number counts, whether two are surely the same, and the share that is cut out for each rank."""

from __future__ import annotations

import pytest

from ddl_lint.domain.quantities import (
    PROCESSES,
    RANKS,
    Count,
    count_of,
    elements,
    integer,
    known_length,
    most_elements,
    names_in,
    quantity,
)
from ddl_lint.domain.shares import Share, bounds_of, carries
from ddl_lint.program.event_types import Save, Shard

PROGRAM = """
import argparse
import os

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--n", type=int)
parser.add_argument("--batch", type=int)
args = parser.parse_args()
n, batch = args.n, args.batch
dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()
local, local_size = int(os.environ["LOCAL_RANK"]), int(os.environ["LOCAL_WORLD_SIZE"])
devices = torch.cuda.device_count()
items = open("data").readlines()
%s
torch.save(%s, "x")
"""

COUNTS = [
    ("size", Count.WORLD),
    ("local_size", Count.NODE),
    ("devices", Count.DEVICES),
    ("rank", Count.RANK),
    ("local", Count.LOCAL_RANK),
    ("len(items)", Count.LENGTH),
    ("7", Count.LITERAL),
    ("n", Count.OPTION),
    ("n * size", Count.COMPUTED),
    ("items[0]", Count.COMPUTED),
]


@pytest.fixture
def saved(follow_project):
    """The value of an expression at the end of the program, after a few more lines."""
    return lambda text, lines="": follow_project(PROGRAM % (lines, text)).saved()


@pytest.mark.parametrize(("text", "count"), COUNTS)
def test_what_a_number_counts(saved, text: str, count: Count):
    assert count_of(saved(text)) is count


@pytest.mark.parametrize(("text", "is_size", "is_of_node"), [
    ("size", True, False), ("local_size", False, True), ("devices", False, True), ("n", False, False),
    ("local_size if n else devices", False, True), ("size if n else devices", False, False),
])  # fmt: skip
def test_every_alternative_counts_the_same(saved, text: str, is_size: bool, is_of_node: bool):
    found = quantity(saved(text))
    assert (found.is_world_size, found.is_of_one_node) == (is_size, is_of_node)


@pytest.mark.parametrize(("text", "scales"), [
    ("n * size", True), ("n // (2 * local_size)", True), ("rank * n", False), ("devices * n", False), ("n + 1", False),
])  # fmt: skip
def test_a_number_of_processes_has_a_part_in_it(saved, text: str, scales: bool):
    assert quantity(saved(text)).scales_with_processes() is scales


def test_a_number_of_processes_is_found_in_what_an_object_holds(follow_project):
    run = follow_project(PROGRAM % ("", "TensorDataset(torch.ones(n * size))")).views[0]
    [event] = run.events("save")
    found = quantity(event.operands["object"])
    assert (found.scales_with_processes(), found.scales_with_processes(run.heap)) == (False, True)


@pytest.mark.parametrize(("text", "is_read"), [("rank", True), ("size", True), ("n", False), ("rank + 1", False)])
def test_where_it_comes_from(saved, text: str, is_read: bool):
    found = quantity(saved(text))
    assert (found.is_read, found.is_from("api")) == (is_read, is_read)


@pytest.mark.parametrize(("text", "made_of"), [("n * rank + 1", True), ("n * len(items)", False), ("rank", True)])
def test_what_it_is_made_of(saved, text: str, made_of: bool):
    counts = (Count.LITERAL, Count.OPTION, *RANKS, *PROCESSES)
    assert quantity(saved(text)).is_made_of(*counts) is made_of


@pytest.mark.parametrize(("text", "measures"), [
    ("len(data) // batch * n", True), ("len(data) if n else 4", False), ("n", False), ("len(items)", False),
])  # fmt: skip
def test_it_is_made_of_a_length(saved, text: str, measures: bool):
    both = saved(f"(data, {text})", "data = TensorDataset(torch.ones(n))")
    data, number = both.items
    assert quantity(number).measures(data) is measures


@pytest.mark.parametrize(("one", "other", "is_same"), [
    ("(rank + 1) * n", "rank * n + n", True),
    ("n * (1 + rank)", "n + n * rank", True),
    ("n * 2 - n", "n", True),
    ("n - n", "0", True),
    ("(n + batch) * (n - batch)", "n * n - batch * batch", True),
    ("(rank + 1) * n", "rank * n + batch", False),
    ("rank * n", "rank * batch", False),
    ("n // 2 * 2", "n", False),
    ("n / 2 * 2", "n", False),
    ("n % 2", "batch % 2", False),
])  # fmt: skip
def test_equal_numbers_however_they_are_written(saved, one: str, other: str, is_same: bool):
    assert quantity(saved(one)).equals(quantity(saved(other))) is is_same


def test_an_expression_with_many_terms_is_left_as_it_is(saved):
    sums = " * ".join(["(n + batch + rank + size + local + devices)"] * 9)
    assert quantity(saved(sums)).equals(quantity(saved(sums)))
    assert not quantity(saved(sums)).equals(quantity(saved(f"{sums} + 1")))


def test_nothing_is_known_of_nothing():
    nothing = quantity(None)
    assert not (nothing.is_world_size or nothing.is_read or nothing.scales_with_processes() or nothing.is_made_of())
    assert not nothing.equals(nothing)
    assert nothing.plus(nothing).value is None
    assert (nothing.integer, nothing.number, nothing.block_of_rank()) == (None, None, None)


@pytest.mark.parametrize(("text", "whole", "any_number"), [
    ("3", 3, 3), ("3.5", None, 3.5), ("True", None, None), ("None", None, None), ("'3'", None, None), ("n", None, None),
])  # fmt: skip
def test_a_number_that_is_written(saved, text: str, whole: int | None, any_number: float | None):
    assert (integer(saved(text)), quantity(saved(text)).number) == (whole, any_number)


@pytest.mark.parametrize(("text", "number"), [
    ("[1, 2, n]", 3), ("len([1, 2])", 2), ("sorted([n, 1])", 2), ("range(5)", 5), ("range(2, 5)", None),
    ("torch.ones(4, 3)", 4), ("torch.arange(6)", 6), ("torch.ones(n)", None), ("items", None), ("7", 7),
])  # fmt: skip
def test_how_long_something_is(saved, text: str, number: int | None):
    assert known_length(saved(text)) == number


def test_elements_in_all_dimensions(saved):
    assert (elements(saved("torch.ones(4, 3)")), elements(saved("torch.ones((4, n))"))) == (12, None)


def test_the_end_of_a_slice_is_the_most_that_it_has(saved):
    assert [most_elements(saved(text)) for text in ("items[:4]", "items[1:4]", "items[::2]", "[1, 2]", "items")] == [
        4, None, None, 2, None,
    ]  # fmt: skip


def test_the_names_of_numbers(saved):
    assert set(names_in(saved("n * batch + rank"))) == {"n", "batch"}


def _share(follow_project, lines: str) -> Share:
    [event] = follow_project(PROGRAM % (lines, "0")).views[0].events(Shard)
    return Share(event)


def test_every_nth_element(follow_project):
    share = _share(follow_project, "mine = items[rank::size]")
    assert (share.is_strided, share.is_of_pieces, share.is_by_rank, share.block) == (True, False, True, None)
    assert share.start.is_surely(Count.RANK)
    assert share.count.is_world_size


@pytest.mark.parametrize(("stop", "ends", "leaves_rest"), [
    ("rank * n + n", True, False),
    ("(rank + 1) * n", True, False),
    ("min(len(items), (1 + rank) * n)", True, False),
    ("rank * n + batch", False, False),
    ("(rank + 1) * n if rank < size - 1 else len(items)", False, True),
])  # fmt: skip
def test_a_block(follow_project, stop: str, ends: bool, leaves_rest: bool):
    share = _share(follow_project, f"mine = items[rank * n : {stop}]")
    assert (share.ends_before_rest, share.leaves_rest_to_last, share.is_strided) == (ends, leaves_rest, False)
    assert share.block is not None
    assert share.block.is_surely(Count.OPTION)


@pytest.mark.parametrize(("text", "is_as_long"), [
    ("mine", True),
    ("[f(y) for y in sorted(mine)]", True),
    ("mine[1:]", False),
    ("items", False),
    ("mine if n else items", False),
    ("DataLoader(mine, batch_size=4)", True),
    ("DataLoader(mine, batch_size=4, drop_last=True)", False),
    ("DataLoader(TensorDataset(torch.tensor(mine)))", True),
    ("DataLoader(items, sampler=SubsetRandomSampler(mine))", True),
])  # fmt: skip
def test_what_is_as_long_as_a_share(follow_project, text: str, is_as_long: bool):
    run = follow_project(PROGRAM % ("mine = items[rank::size]", text)).views[0]
    [event], [save] = run.events(Shard), run.events(Save)
    assert save.object is not None
    assert carries(save.object, Share(event), run.heap) is is_as_long


def test_a_tensor_tells_by_what_it_was_cut(follow_project):
    run = follow_project(PROGRAM % ("mine = torch.arange(9)[: n * size][rank::size]", "0")).views[0]
    [event] = run.events(Shard)
    assert any(quantity(bound).scales_with_processes() for bound in bounds_of(event.operands["data"]))
