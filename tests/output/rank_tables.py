"""Tables of ranks as the tests of their pictures want them."""

from __future__ import annotations

import os
from pathlib import Path

from ddl_lint.analysis.ranks.communication import Block, Cell, Communication, Gap, Row
from ddl_lint.analysis.ranks.processes import RankClass, job
from ddl_lint.analysis.ranks.reports import Report
from ddl_lint.finding import Evidence
from ddl_lint.source.document import Document
from ddl_lint.source.span import Location

TEXT = "".join(f"line {number}\n" for number in range(1, 200))


def path(name: str = "train.py") -> str:
    return (Path(os.getcwd()) / name).as_posix()


def at(line: int, name: str = "train.py") -> Location:
    start = TEXT.index(f"line {line}\n")
    return Location(path(name), start, start + 4)


def documents(*names: str) -> dict[str, Document]:
    return {path(name): Document(path(name), TEXT) for name in names or ("train.py",)}


FIRST, SECOND = job(1, 2)
CLASSES = RankClass((FIRST,), "rank 0"), RankClass((SECOND,), "the other ranks")


def table(*rows: Row, **changes: object) -> Communication:
    fields = {"function": "", "alone": False, "stop": None, "nodes": 1, "per_node": 2, "columns": CLASSES}
    return Communication(**{"path": path(), **fields, "rows": rows, **changes})  # type: ignore[arg-type]


def both(name: str, line: int, *blocks: Block) -> Row:
    cell = Cell(name, at(line))
    return Row(blocks, (cell, cell))


def call(number: int = 0, name: str = "main", line: int = 90) -> Block:
    return Block("call", name, at(line), number)


def small() -> Communication:
    report = Report("gloo", "Timed out waiting 1800000ms", 1800)
    gap = Gap("rank 0 waits in `all_reduce` (train.py:30)", (Evidence("they part here", at(29)),), reports=(report,))
    loop = Block("loop", "for epoch in range(9)", at(20), 1)
    branch = Block("if", "x > 1", at(25), 2, "local")
    return table(
        both("init_process_group", 10, call()),
        Row((call(),), (Cell("barrier", at(12)), Cell("barrier", at(11)))),
        both("forward", 21, call(), loop),
        Row((call(), loop, branch), (Cell("all_reduce", at(30)), None), gap),
        Row((call(), loop), (Cell("break", at(40), leaves="break"), Cell("break", at(40), leaves="break"))),
    )


HOSTILE = 'a < b & "c" ]]> --> </svg><script>alert(1)</script>; end %% #x; \x1b[31m \x00 日本'


def hostile(name: str = HOSTILE) -> Communication:
    """A table in which everything that the checked project names has this name."""
    block = Block("if", name, at(3), 0)
    row = Row((block,), (Cell(name, at(4)), None), Gap(name, (Evidence(name, at(5)),)))
    classes = RankClass((FIRST,), name), RankClass((SECOND,), "the other ranks")
    return table(row, columns=classes, path=path(name.replace("/", "")))
