"""What becomes of the code around a condition on the rank when a call moves out of it, text by text."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from programs import Mended, mend_program

_HEAD = """\
import os

import torch
import torch.distributed as dist


def everywhere(x):
    y = x.clone()
    dist.all_reduce(y)
    return y


def main(args, loss):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    world_size = dist.get_world_size()
"""
_TAIL = """\
    dist.destroy_process_group()


if __name__ == "__main__":
    main(None, torch.zeros(1))
"""

_MOVED = {
    "on the line of its condition": (
        "if rank == 0: dist.barrier()  # wait\n",
        "dist.barrier()  # wait\n",
    ),
    "behind a semicolon": (
        "if rank == 0: print('saved'); dist.barrier()  # wait\n",
        "if rank == 0:\n    print('saved')\ndist.barrier()  # wait\n",
    ),
    "with what it needs, with comments and line ends": (
        """\
# the mean of all ranks
if rank == 0:  # only there
    # computed here
    mean = torch.stack([
        loss,
        loss,
    ]).mean()

    dist.all_reduce(
        mean,
        op=dist.ReduceOp.SUM,
    )  # summed

    # told here
    print(mean)
""",
        """\
# computed here
mean = torch.stack([
    loss,
    loss,
]).mean()

dist.all_reduce(
    mean,
    op=dist.ReduceOp.SUM,
)  # summed

# the mean of all ranks
if rank == 0:  # only there
    # told here
    print(mean)
""",
    ),
    "between two halves": (
        """\
if rank == 0:
    print('before')
    dist.all_reduce(loss)
    print('after', loss)
""",
        """\
if rank == 0:
    print('before')
dist.all_reduce(loss)
if rank == 0:
    print('after', loss)
""",
    ),
    "out of a condition in the condition": (
        """\
for epoch in range(10):
    if rank == 0:
        print(epoch)
        if epoch % 5 == 0:
            print('sum')
            dist.all_reduce(loss)
            print(loss)
        else:
            print('none')
        print('end')
""",
        """\
for epoch in range(10):
    if rank == 0:
        print(epoch)
    if epoch % 5 == 0:
        if rank == 0:
            print('sum')
        dist.all_reduce(loss)
        if rank == 0:
            print(loss)
    else:
        if rank == 0:
            print('none')
    if rank == 0:
        print('end')
""",
    ),
    "out of one half of a condition": (
        """\
for step in range(100):
    if (rank == 0 or rank == 3) and (step % 10 == 0 or step == 99) and args.verbose:  # log
        dist.all_reduce(loss)
        print(loss)
""",
        """\
for step in range(100):
    if (step % 10 == 0 or step == 99) and args.verbose:  # log
        dist.all_reduce(loss)
        if rank == 0 or rank == 3:
            print(loss)
""",
    ),
    "out of the only statement of the `else`": (
        "if rank == 0:\n    print('first')\nelse:\n    dist.all_reduce(loss)\n",
        "if rank == 0:\n    print('first')\ndist.all_reduce(loss)\n",
    ),
    "out of an arm that is empty then": (
        "if rank == 0:\n    dist.all_reduce(loss)\nelse:\n    print('others')\n",
        "dist.all_reduce(loss)\nif rank != 0:\n    print('others')\n",
    ),
    "out of what is for one rank, under a name that is free": (
        "result = 1\nif rank == 0:\n    print(everywhere(loss), result)\n",
        "result = 1\nresult_2 = everywhere(loss)\nif rank == 0:\n    print(result_2, result)\n",
    ),
    "so that the other ranks keep the value that they go on with": (
        """\
total = loss
if rank == 0:
    total = everywhere(loss)
print(total)
""",
        """\
total = loss
result = everywhere(loss)
if rank == 0:
    total = result
print(total)
""",
    ),
    "with the loop that it stands in": (
        """\
if rank == 0:
    count = 0
    while count < 3:
        dist.all_reduce(loss)
        count += 1
    print(count)
""",
        """\
count = 0
while count < 3:
    dist.all_reduce(loss)
    count += 1
if rank == 0:
    print(count)
""",
    ),
    "without what only the sender of a broadcast needs": (
        """\
box = [None]
if rank == 0:
    box = [os.listdir('.')]
    print('listed')
    dist.broadcast_object_list(box, src=0)
print(box)
""",
        """\
box = [None]
if rank == 0:
    box = [os.listdir('.')]
    print('listed')
dist.broadcast_object_list(box, src=0)
print(box)
""",
    ),
    "with what is done for it and undone behind it": (
        """\
net = torch.nn.Linear(1, 1)
if rank == 0:
    net.eval()
    print('before')
    total = everywhere(net(loss))
    print('after', total)
    net.train()
    print('end')
""",
        """\
net = torch.nn.Linear(1, 1)
net.eval()
if rank == 0:
    print('before')
total = everywhere(net(loss))
if rank == 0:
    print('after', total)
net.train()
if rank == 0:
    print('end')
""",
    ),
    "to one rank, which alone may say where to": (
        """\
if rank == 0:
    parts = [torch.empty_like(loss) for _ in range(world_size)]
    dist.gather(loss, parts, dst=0)
    print(parts)
""",
        """\
parts = [torch.empty_like(loss) for _ in range(world_size)]
dist.gather(loss, parts if rank == 0 else None, dst=0)
if rank == 0:
    print(parts)
""",
    ),
    "out of an expression": (
        "print(everywhere(loss) if rank == 0 else None)\n",
        "result = everywhere(loss)\nprint(result if rank == 0 else None)\n",
    ),
    "out of a comprehension": (
        "works = [dist.all_reduce(x, async_op=True) for x in [loss] if rank == 0]\nprint(works)\n",
        "works = [dist.all_reduce(x, async_op=True) for x in [loss]]\nprint(works)\n",
    ),
    "before the others leave, with what is for one rank under a condition": (
        """\
# only the first one goes on
if rank != 0: return None
print('go')  # said
total = loss + 1
dist.all_reduce(total)  # summed
print(total)
""",
        """\
if rank == 0:
    print('go')  # said
total = loss + 1
dist.all_reduce(total)  # summed
# only the first one goes on
if rank != 0: return None
print(total)
""",
    ),
    "before the others go on to the next turn": (
        """\
for step in range(3):
    if rank:
        print('skip'); continue
    loss = loss + 1
    dist.barrier()
    print(loss)
""",
        """\
for step in range(3):
    loss = loss + 1
    dist.barrier()
    if rank:
        print('skip'); continue
    print(loss)
""",
    ),
}

_LEFT = {
    "if rank == 0:\n    best = loss\nprint('go')\nif rank == 0:\n    dist.all_reduce(best)\n    print(best)\n": (
        "the other ranks may not have `best`, which it needs"
    ),
    "best = None\nif rank == 0:\n    best = loss\nprint('go')\nif rank == 0:\n    dist.all_reduce(best)\n": (
        "the other ranks may not have `best`, which it needs"
    ),
    "if rank == 0:\n    with open('log.txt', 'w') as file:\n        dist.all_reduce(loss)\n        file.write('x')\n": (
        "`open` around it is for some ranks only"
    ),
    "for _ in range(3):\n    if rank == 0:\n        dist.all_reduce(loss)\n        if loss > 1: return\n": (
        "the ranks that make the call leave the loop, which the others continue"
    ),
    "if rank == 0:\n    if loss > 1:\n        return\n    dist.barrier()\n": "some ranks leave before it",
    "count = 0\nwhile rank == 0 and count < 3:\n    dist.all_reduce(loss)\n    count += 1\n": (
        "the ranks diverge at a loop, or by another value"
    ),
    "if rank > 0:\n    dist.barrier()\nif rank == 0:\n    print('work')\n": (
        "the other ranks wait here for the work of rank 0; cannot tell where that work ends"
    ),
    "if rank > 0:\n    return loss\ndist.all_reduce(loss)\nprint(loss)\n": (
        "the return value of the early exit would have changed by then"
    ),
}


def _mend(body: str, folder: Path) -> Mended:
    case = folder / "train.py"
    case.write_text(_HEAD + indent(body, "    ") + _TAIL, encoding="utf-8")
    return mend_program(case, folder)


@pytest.mark.parametrize(("before", "after"), _MOVED.values(), ids=_MOVED.keys())
def test_a_call_moves(before: str, after: str, tmp_path: Path) -> None:
    mended = _mend(before, tmp_path)
    assert mended.texts["train.py"] == _HEAD + indent(after, "    ") + _TAIL
    assert mended.fixes
    assert not mended.left


@pytest.mark.parametrize(("body", "reason"), _LEFT.items(), ids=_LEFT.values())
def test_a_call_stays(body: str, reason: str, tmp_path: Path) -> None:
    mended = _mend(body, tmp_path)
    assert {why for _, why in mended.unfixable} == {reason}
    assert mended.texts["train.py"] == _HEAD + indent(body, "    ") + _TAIL
