"""What the ranks of small programs do together, side by side."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from ddl_lint.analysis.ranks.communication import Block, Cell, Communication
from ddl_lint.check import rank_questions
from ddl_lint.check.rank_questions import Traced
from ddl_lint.project.config import Settings

START = """\
import sys
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
x = torch.zeros(1)
"""


@pytest.fixture
def traced(tmp_path: Path) -> Callable[..., Traced]:
    """Traces a program that begins as `START` does; other files may be given."""

    def run(program: str, function: str = "", **files: str) -> Traced:
        main = tmp_path / "main.py"
        main.write_text(START + textwrap.dedent(program), encoding="utf-8")
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(text), encoding="utf-8")
        return rank_questions.trace(main, Settings(), function)

    return run


@pytest.fixture
def table(traced) -> Callable[..., list[list[str]]]:
    """The rows of a program's table behind that of `init_process_group`, each cell as `name:line`."""

    def run(program: str, function: str = "", **files: str) -> list[list[str]]:
        found = traced(program, function, **files)
        return [
            [_cell(cell, found) for cell in row.cells]
            for row in found.communication.rows
            if row.lead.name != "init_process_group"
        ]

    return run


def _cell(cell: Cell | None, found: Traced) -> str:
    if cell is None:
        return ""
    line = found.documents[cell.location.path].position(cell.location.start)[0] - START.count("\n")
    return f"{cell.name}:{line}"


def titles(communication: Communication) -> list[str]:
    return [ranks.title for ranks in communication.columns]


def blocks(found: tuple[Block, ...]) -> list[str]:
    return [f"{block.kind} {block.text}" for block in found]


def test_one_column_where_all_ranks_do_the_same(traced):
    shown = traced("dist.barrier()\nif rank == 0:\n    print(x)\n").communication
    assert titles(shown) == ["all ranks"]
    assert [row.lead.name for row in shown.rows] == ["init_process_group", "barrier"]
    assert all(row.meets for row in shown.rows)
    assert not shown.gaps


def test_halves_of_an_idiom_stand_side_by_side(table):
    assert table(
        "if rank != 0:\n    dist.barrier()\nprint(x)\nif rank == 0:\n    dist.barrier()\ndist.all_reduce(x)\n"
    ) == [
        ["barrier:5", "barrier:2"],
        ["all_reduce:6", "all_reduce:6"],
    ]


def test_a_call_under_a_guard_is_a_gap(traced):
    shown = traced("if rank == 0:\n    dist.all_reduce(x)\ndist.barrier()\n").communication
    assert titles(shown) == ["rank 0", "the other ranks"]
    row = shown.rows[1]
    assert row.gap is not None
    assert row.gap.message.startswith("Hang: only rank 0 calls `all_reduce`; ")
    assert row.cells[1] is None
    assert not row.meets
    assert shown.rows[2].meets


def test_several_calls_under_one_guard_share_their_gap(traced):
    shown = traced("if rank == 0:\n    dist.all_reduce(x)\n    dist.broadcast(x, 0)\n").communication
    assert len(shown.gaps) == 1
    assert shown.rows[1].gap is shown.rows[2].gap is not None


def test_an_early_exit_stands_before_what_it_skips(table, traced):
    program = """\
    def reduce():
        if rank != 0:
            return
        dist.all_reduce(x)

    reduce()
    dist.barrier()
    """
    assert table(program) == [["", "return:3"], ["all_reduce:4", ""], ["barrier:7", "barrier:7"]]
    (gap,) = traced(program).communication.gaps
    assert gap.message.startswith("Hang: the other ranks return and wait in `barrier`")
    assert gap.evidence


def test_other_calls_at_the_same_time_stand_against_each_other(table):
    program = """\
    if rank == 0:
        dist.broadcast(x, 0)
        dist.all_reduce(x)
    else:
        dist.all_reduce(x)
        dist.broadcast(x, 0)
    """
    assert table(program) == [["broadcast:2", "all_reduce:5"], ["all_reduce:3", "broadcast:6"]]


def test_both_arms_of_an_undecided_condition(traced):
    program = """\
    if len(sys.argv) > 2:  # the same everywhere
        dist.barrier()
    else:
        dist.all_reduce(x)
    """
    shown = traced(program).communication
    assert [blocks(row.blocks) for row in shown.rows[1:]] == [["if len(sys.argv) > 2"], ["unless len(sys.argv) > 2"]]
    assert not shown.gaps


def test_loops_and_calls_are_blocks(traced):
    program = """\
    def step():
        dist.all_reduce(x)

    for epoch in range(
        3,  # epochs
        int(sys.argv[1]),
    ):
        step()
    while True:
        dist.barrier()
    """
    rows = traced(program).communication.rows[1:]
    loop = "loop for epoch in range( 3, int(sys.argv[1]), )"
    assert [blocks(row.blocks) for row in rows] == [[loop, "call step"], ["loop while True"]]


def test_errors_that_may_happen_are_not_shown(table):
    assert table("if len(sys.argv) > 2:\n    raise ValueError\ndist.barrier()\n") == [["barrier:3"]]


def test_early_exits_for_all_are_shown_where_they_skip_something(table):
    program = """\
    for _ in range(9):
        dist.barrier()
        if len(sys.argv) > 2:
            break
    """
    assert table(program) == [["barrier:2"], ["break:4"]]


def test_a_condition_that_some_ranks_may_not_share_is_marked(traced):
    program = (
        "y = torch.rand(1)\nif y > 0.5:\n    dist.barrier()\nif rank * int(sys.argv[1]) > 3:\n    dist.barrier()\n"
    )
    rows = traced(program).communication.rows
    assert [block.varies for row in rows for block in row.blocks] == ["local", "rank"]


def test_places_on_the_node_need_two_nodes(traced):
    program = "import os\nif int(os.environ['LOCAL_RANK']) == 0:\n    dist.barrier()\nelse:\n    dist.barrier()\n"
    shown = traced(program).communication
    assert (shown.nodes, shown.per_node) == (2, 2)
    assert titles(shown) == ["the first rank of each node", "the other ranks"]
    assert shown.rows[1].meets


def test_a_function_as_the_script_calls_it(table):
    program = """\
    def reduce(of):
        if of is None:
            dist.barrier()
        else:
            dist.all_reduce(of)

    dist.barrier()
    reduce(x)
    """
    assert table(program, "reduce") == [["all_reduce:5"]]


def test_a_function_that_the_script_does_not_call(traced):
    shown = traced("def reduce(of):\n    dist.all_reduce(of)\n", "reduce").communication
    assert shown.alone
    assert shown.function == "reduce"
    assert [(row.lead.name, blocks(row.blocks)) for row in shown.rows] == [("all_reduce", ["call reduce"])]


def test_a_method(traced):
    program = """\
    class Meter:
        def reduce(self):
            dist.all_reduce(self.total)

        def show(self):
            dist.barrier()
    """
    rows = traced(program, "Meter.reduce").communication.rows
    assert [row.lead.name for row in rows] == ["all_reduce"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("reduc", "there is no function `reduc` (did you mean `reduce`?)"),
        ("show", "there is no function `show` (did you mean `Meter.show`?)"),
        ("Meter", "`Meter` is a class; name one of its methods, such as `Meter.show`"),
    ],
)
def test_a_function_that_is_not_there(traced, name, message):
    with pytest.raises(rank_questions.TraceError) as error:
        traced("def reduce():\n    pass\nclass Meter:\n    def show(self):\n        pass\n", name)
    assert message in str(error.value)


def test_a_file_that_is_no_script(tmp_path):
    file = tmp_path / "helpers.py"
    file.write_text("import torch.distributed as dist\n\ndef mean(x):\n    dist.all_reduce(x)\n", encoding="utf-8")
    with pytest.raises(rank_questions.TraceError) as error:
        rank_questions.trace(file, Settings())
    assert "is no script" in str(error.value)
    assert "such as `mean`" in str(error.value)


def test_calls_that_cannot_be_seen_are_uncertain(traced):
    shown = traced("from somewhere import all_reduce_all\nall_reduce_all(x)\n").communication
    assert not shown.rows[1].lead.seen
