"""Messages that are exchanged at the same time, in the other order, or with another tag."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from programs import Mended, mend_program

_PROGRAM = """\
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    mine, theirs = torch.ones(4), torch.zeros(4)
{body}

if __name__ == "__main__":
    main()
"""


def _program(body: str) -> str:
    return _PROGRAM.format(body=indent(dedent(body), "    "))


def _mended(body: str, folder: Path) -> Mended:
    (folder / "train.py").write_text(_program(body))
    return mend_program(folder / "train.py", folder, ignore=("distributed-shutdown-missing",))


def test_names_that_are_taken(tmp_path: Path) -> None:
    before = """\
        work = 3
        dist.send(mine, 1 - rank)
        # The other half.
        dist.recv(theirs, 1 - rank)
        print(work)
        """
    after = """\
        work = 3
        sending = dist.P2POp(dist.isend, mine, 1 - rank)
        receiving = dist.P2POp(dist.irecv, theirs, 1 - rank)
        for work_ in dist.batch_isend_irecv([sending, receiving]):
            work_.wait()
        # The other half.
        print(work)
        """
    assert _mended(before, tmp_path).texts["train.py"] == _program(after)


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        ("dist.send(mine, 1 - rank, tag=3)\ndist.recv(theirs, 1 - rank, tag=3)\n", "the calls have tags or groups"),
        (
            "dist.send(mine, 1 - rank)\ndist.recv(mine, 1 - rank)\n",
            "what is sent and what is received may be the same memory",
        ),
        (
            "dist.send(mine, 1 - rank)\nprint(rank)\ndist.recv(theirs, 1 - rank)\n",
            "other statements are between the two calls",
        ),
        ("dist.send(mine, 1 - rank)\nsource = dist.recv(theirs, 1 - rank)\n", "what the call returns is used"),
    ],
    ids=["tags", "memory", "apart", "returned"],
)
def test_what_is_left(calls: str, reason: str, tmp_path: Path) -> None:
    mended = _mended(calls, tmp_path)
    assert mended.texts["train.py"] == _program(calls)
    assert [told for _, told in mended.unfixable] == [reason]


@pytest.mark.parametrize(
    ("sent", "received", "fixed"),
    [(", tag=7", "", ", tag=7"), ("", ", tag=7", ""), (", tag=7", ", tag=8", ", tag=7")],
    ids=["missing", "needless", "other"],
)
def test_tags(sent: str, received: str, fixed: str, tmp_path: Path) -> None:
    def body(tag: str) -> str:
        return f"""\
        if rank == 0:
            dist.send(mine, 1{sent})
        elif rank == 1:
            dist.recv(theirs, 0{tag})
        """

    assert _mended(body(received), tmp_path).texts["train.py"] == _program(body(fixed))
