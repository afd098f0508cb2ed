"""What a run does with files: the paths that ranks have, which leads into which, who reads and writes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ddl_lint.domain.file_names import FileName
from ddl_lint.domain.files import FileUse, RunFiles, file_uses, may_be_among
from ddl_lint.domain.paths import Path, asks_for_any
from ddl_lint.program.event_types import Load, MakeDirectory, RemoveFiles, Save, SaveSharded, WriteFile
from ddl_lint.program.values import Apply, Const, Items, Setting, Value

PROGRAM = """
import argparse
import os
import time

import torch
import torch.distributed as dist
from torch.distributed import checkpoint

parser = argparse.ArgumentParser()
parser.add_argument("--folder")
parser.add_argument("--other")
args = parser.parse_args()
folder, other = args.folder, args.other
dist.init_process_group("gloo")
rank, local = dist.get_rank(), int(os.environ["LOCAL_RANK"])
x = torch.ones(2)
%s
"""


@pytest.fixture
def path(follow_project) -> Callable[[str], Path]:
    """The path that an expression is."""
    return lambda text: Path(follow_project(PROGRAM % f"torch.save({text}, 'x')").saved())


@pytest.mark.parametrize(("text", "is_same", "differs"), [
    ("folder", True, False),
    ("os.path.join(folder, 'a.pt')", True, False),
    ("f'{folder}/a-{rank}.pt'", False, True),
    ("f'{folder}/a-{local}.pt'", False, True),
    ("f'{folder}/a-{time.time()}.pt'", False, True),
    ("somewhere()", False, False),
])  # fmt: skip
def test_on_which_ranks_it_is_the_same(path, text: str, is_same: bool, differs: bool):
    assert (path(text).is_same_on_all_ranks, path(text).differs_by_rank) == (is_same, differs)


@pytest.mark.parametrize(("text", "is_on_node"), [
    ("'/tmp/a.pt'", True), ("os.path.join('/scratch', folder)", True), ("'a/tmp'", False), ("folder", False),
])  # fmt: skip
def test_on_whose_disk_it_is(path, text: str, is_on_node: bool):
    assert path(text).is_on_disk_of_node is is_on_node


@pytest.mark.parametrize(("one", "other", "is_in"), [
    ("folder", "folder", True),
    ("os.path.join(folder, 'a', 'b.pt')", "folder", True),
    ("os.path.join(os.path.join(folder, 'a'), 'b.pt')", "folder", True),
    ("f'{folder}/a.pt'", "folder", True),
    ("os.path.abspath(folder)", "folder", True),
    ("folder", "os.path.abspath(folder)", True),
    ("f'{folder}-a.pt'", "folder", False),
    ("os.path.join(other, 'b.pt')", "folder", False),
    ("folder", "os.path.join(folder, 'a')", False),
    ("folder", "None", False),
])  # fmt: skip
def test_which_leads_into_which(path, one: str, other: str, is_in: bool):
    assert path(one).is_in(path(other)) is is_in


@pytest.mark.parametrize(("one", "other", "is_surely", "may_be"), [
    ("f'{folder}/a.pt'", "f'{folder}/a.pt'", True, True),
    ("f'{folder}/a.pt'", "f'{folder}/b.pt'", False, False),
    ("f'{folder}/a.pt'", "f'{other}/a.pt'", False, False),
    ("[f'{folder}/{i}.pt' for i in range(3)][0]", "f'{folder}/a.pt'", False, False),
])  # fmt: skip
def test_whether_two_are_one_file(path, one: str, other: str, is_surely: bool, may_be: bool):
    assert (path(one).is_surely(path(other)), path(one).may_be(path(other))) == (is_surely, may_be)


def _text(*pieces: Value | str) -> Path:
    return Path(Apply("text", tuple(Const(piece) if isinstance(piece, str) else piece for piece in pieces)))


def test_a_loop_counts_the_files():
    counter = Apply("element", (Apply("range", (Const(3),)),))
    assert _text("a-", counter, ".pt").may_be(_text("a-", "2", ".pt"))
    assert not _text("a-", counter, ".pt").may_be(_text("b-", "2", ".pt"))
    assert Path(Items("list", (counter,))).may_be(Path(Items("list", (Const("2"),))))
    assert not _text("a-", "2", ".pt").may_be(_text("a-", counter, ".pt"))


def test_nothing_is_known_of_no_path():
    nothing = Path(None)
    assert not (nothing.differs_by_rank or nothing.is_same_on_all_ranks or nothing.is_on_disk_of_node)
    assert not (nothing.is_surely(nothing) or nothing.may_be(nothing) or nothing.is_in(nothing))
    assert not (nothing.is_asked_for_by(Setting("a", "argument")) or asks_for_any(None))
    assert (nothing.name, nothing.plain) == (None, None)


KINDS = (Load, MakeDirectory, RemoveFiles, Save, WriteFile)

USES = [
    ("torch.load(folder)", "reads may_read is_by_every_rank"),
    ("open(folder)", "reads may_read is_by_every_rank"),
    ("open(folder, 'rb')", "reads may_read is_by_every_rank"),
    ("open(folder, other)", "may_read is_by_every_rank"),
    ("open(folder, 'r+')", "reads may_read is_by_every_rank"),
    ("open(folder, 'w')", "writes is_by_every_rank"),
    ("open(folder, 'x')", "writes is_by_every_rank"),
    ("open(folder, 'a')", "appends is_by_every_rank"),
    ("torch.save(x, folder)", "writes is_by_every_rank"),
    ("if rank == 0: torch.save(x, folder)", "writes is_by_some_ranks"),
    ("if local == 0: torch.save(x, folder)", "writes is_by_some_ranks"),
    ("if os.path.exists(folder): torch.load(folder)", "reads may_read is_by_every_rank looks_first looks_for_it_first"),
    ("if os.path.exists(other): torch.load(folder)", "reads may_read is_by_every_rank looks_first"),
    ("try: os.remove(folder)\nexcept FileNotFoundError: pass", "writes is_by_every_rank bears_missing"),
    ("try: os.makedirs(folder)\nexcept FileExistsError: pass", "writes is_by_every_rank bears_existing"),
    ("try: os.makedirs(folder)\nexcept OSError: pass", "writes is_by_every_rank bears_existing bears_missing"),
]


@pytest.mark.parametrize(("lines", "expected"), USES)
def test_a_use_of_a_file(follow_project, lines: str, expected: str):
    [use] = file_uses(follow_project(PROGRAM % lines).views[0], *KINDS)
    asked = [name for name, member in vars(FileUse).items() if isinstance(member, property)]
    assert {name for name in asked if getattr(use, name) is True} == set(expected.split())
    assert use.path == Path(Setting("folder", "argument", Const(None)))


def test_an_object_knows_the_folder_of_its_files(follow_project):
    manager = "import tensorflow as tf\ntf.train.CheckpointManager(tf.train.Checkpoint(), folder, 3).save()"
    [use] = file_uses(follow_project(PROGRAM % manager).views[0], Save)
    assert use.path == Path(Setting("folder", "argument", Const(None)))


FILES = """
torch.load("a.pt")
open("b.txt").read()
open("log.txt", "w")
torch.save(x, "c.pt")
checkpoint.save({"x": x}, checkpoint_id="parts")
torch.load(f"{folder}/d.pt")
"""


def test_the_files_of_a_run_as_data(follow_project):
    run = follow_project(PROGRAM % FILES).views[0]
    files = RunFiles.of(run)
    assert [event.kind for event in run.events(SaveSharded)] == ["save_sharded"]
    a, b, c, d = (FileName.of(Const(name)) for name in ("a.pt", "b.txt", "c.pt", "runs/d.pt"))
    assert [files.loads_surely(name) for name in (a, b, c, d, None)] == [True, False, False, False, False]
    assert [files.may_load(name) for name in (a, b, c, d, None)] == [True, False, False, True, True]
    assert [files.saves_surely(name) for name in (a, c, None)] == [False, True, False]
    assert [files.may_save(name) for name in (a, c, FileName.of(Const("parts")), None)] == [False, True, True, True]
    assert b is not None
    assert d is not None
    assert files.may_name(b)
    assert files.loads_alike(d)
    assert not files.loads_alike(c)
    assert RunFiles.of(run) is files


def test_an_unknown_file_may_be_any():
    name = FileName.of(Const("a.pt"))
    assert may_be_among(None, [name])
    assert may_be_among(name, [None])
    assert not may_be_among(name, [FileName.of(Const("b.pt"))])
    assert not may_be_among(None, [])
