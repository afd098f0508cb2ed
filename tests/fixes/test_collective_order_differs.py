"""How the calls of two arms come into one order, and the elements of a set."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

from programs import mend_program

_PROGRAM = """\
import torch
import torch.distributed as dist


def report(rank, loss, days, names):
{body}

def main():
    dist.init_process_group("gloo")
    report(dist.get_rank(), torch.ones(1), torch.ones(1), open("names.txt").read().split())


if __name__ == "__main__":
    main()
"""


def _program(body: str) -> str:
    return _PROGRAM.format(body=indent(dedent(body), "    "))


def _mended(body: str, folder: Path) -> str:
    (folder / "train.py").write_text(_program(body))
    return mend_program(folder / "train.py", folder, ignore=("distributed-shutdown-missing",)).texts["train.py"]


def test_else_with_more_than_the_calls(tmp_path: Path) -> None:
    before = """\
        if rank == 0:
            dist.all_reduce(loss)  # the sum
            dist.all_reduce(days)
            print(loss / days)
        else:
            dist.all_reduce(days)
            dist.all_reduce(loss)
            print("done")
        """
    after = """\
        dist.all_reduce(loss)  # the sum
        dist.all_reduce(days)
        if rank == 0:
            print(loss / days)
        else:
            print("done")
        """
    assert _mended(before, tmp_path) == _program(after)


def test_nothing_but_the_calls(tmp_path: Path) -> None:
    before = """\
        if rank == 0:
            dist.all_reduce(loss)
            dist.all_reduce(days)
        else:
            dist.all_reduce(days)
            dist.all_reduce(loss)
        return loss / days
        """
    after = """\
        dist.all_reduce(loss)
        dist.all_reduce(days)
        return loss / days
        """
    assert _mended(before, tmp_path) == _program(after)


def test_other_statements_on_both_sides(tmp_path: Path) -> None:
    """What stands around the calls stays where it is; they come in the order of the first arm."""
    before = """\
        if rank == 0:
            loss.mul_(2)
            dist.all_reduce(loss)
            dist.all_reduce(days)
            print(loss / days)
        else:
            print("now")
            dist.all_reduce(days)
            dist.all_reduce(loss)
            print("done")
        """
    after = """\
        if rank == 0:
            loss.mul_(2)
            dist.all_reduce(loss)
            dist.all_reduce(days)
            print(loss / days)
        else:
            print("now")
            dist.all_reduce(loss)
            dist.all_reduce(days)
            print("done")
        """
    assert _mended(before, tmp_path) == _program(after)


def test_what_depends_on_the_order(tmp_path: Path) -> None:
    text = """\
        if rank == 0:
            loss.mul_(2)
            dist.all_reduce(loss)
            dist.all_reduce(days)
            print(loss / days)
        else:
            dist.all_reduce(days)
            loss.div_(days)
            dist.all_reduce(loss)
            print("done")
        """
    assert _mended(text, tmp_path) == _program(text)


def test_sets(tmp_path: Path) -> None:
    before = """\
        sums = {name: loss.clone() for name in names}
        for index, name in enumerate(set(names)):
            dist.all_reduce(sums[name])
        for name in list(set(names)):
            dist.all_reduce(sums[name])
        """
    after = """\
        sums = {name: loss.clone() for name in names}
        for index, name in enumerate(sorted(set(names))):
            dist.all_reduce(sums[name])
        for name in sorted(set(names)):
            dist.all_reduce(sums[name])
        """
    assert _mended(before, tmp_path) == _program(after)
