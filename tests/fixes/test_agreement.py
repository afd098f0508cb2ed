"""Decisions that the fixes let all ranks make alike: where the code is put, and where there is no place for it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from programs import Mended, mend_program

_TRAINING = """\
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    data = TensorDataset(*torch.load("data.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    model = DDP(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    started = time.time()
    for epoch in range(100):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
{skip}            loss.backward()
            optimizer.step()
{end}    dist.destroy_process_group()


if __name__ == "__main__":
    main()
"""


def _program(skip: str = "", end: str = "") -> str:
    return _TRAINING.format(skip=indent(dedent(skip), " " * 12), end=indent(dedent(end), " " * 8))


def _mended(text: str, folder: Path) -> Mended:
    case = folder / "train.py"
    case.write_text(text)
    return mend_program(case, folder)


def _becomes(before: str, after: str, folder: Path) -> None:
    mended = _mended(before, folder)
    assert mended.texts == {"train.py": after}
    assert not mended.left


def _is_left(text: str, folder: Path, reason: str) -> None:
    mended = _mended(text, folder)
    assert mended.texts == {"train.py": text}
    assert [told for _, told in mended.unfixable] == [reason]


# --- layout ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "condition",
    ["if time.time() - started > 60: break\n", "if (time.time() - started > 60):\n    break\n"],
    ids=["one line", "brackets"],
)
def test_layouts_of_an_if(condition: str, tmp_path: Path) -> None:
    head = "decision = [time.time() - started > 60]\ndist.broadcast_object_list(decision, src=0)\n"
    after = "if decision[0]:" + condition.partition(":")[2]
    _becomes(_program(end=condition), _program(end=head + after), tmp_path)


def test_comments_stay(tmp_path: Path) -> None:
    before = """\
        # The queue ends the job after an hour.
        if time.time() - started > 60:  # seconds
            break
        """
    after = """\
        decision = [time.time() - started > 60]
        dist.broadcast_object_list(decision, src=0)
        # The queue ends the job after an hour.
        if decision[0]:  # seconds
            break
        """
    mended = _mended(_program(end=before), tmp_path)
    lines = mended.texts["train.py"]
    assert "# The queue ends the job after an hour." in lines
    assert "if decision[0]:  # seconds" in lines
    assert sorted(lines.splitlines()) == sorted(_program(end=after).splitlines())


def test_condition_over_several_lines(tmp_path: Path) -> None:
    before = """\
        if (
            epoch > 3
            and time.time() - started > 60
        ):
            break
        """
    after = """\
        decision = [epoch > 3 and time.time() - started > 60]
        dist.broadcast_object_list(decision, src=0)
        if decision[0]:
            break
        """
    _becomes(_program(end=before), _program(end=after), tmp_path)


def test_else_arm_that_leaves(tmp_path: Path) -> None:
    before = """\
        if loss.item() > 0.1:
            print(epoch)
        else:
            break
        """
    after = """\
        flag = torch.tensor(float(loss.item() > 0.1), device=loss.device)
        dist.all_reduce(flag, op=dist.ReduceOp.MIN)
        if flag.item():
            print(epoch)
        else:
            break
        """
    _becomes(_program(end=before), _program(end=after), tmp_path)


def test_elif_is_left(tmp_path: Path) -> None:
    condition = """\
        if epoch < 3:
            print(epoch)
        elif time.time() - started > 60:
            break
        """
    _is_left(_program(end=condition), tmp_path, "there is no place for a statement before an `elif`")


# --- names -----------------------------------------------------------------------------------------------------------


def test_taken_names(tmp_path: Path) -> None:
    before = """\
        decision = epoch
        if time.time() - started > 60:
            break
        print(decision)
        """
    after = """\
        decision = epoch
        decision_ = [time.time() - started > 60]
        dist.broadcast_object_list(decision_, src=0)
        if decision_[0]:
            break
        print(decision)
        """
    _becomes(_program(end=before), _program(end=after), tmp_path)


def test_functions_imported_by_name(tmp_path: Path) -> None:
    before = """\
        if time.time() - started > 60:
            break
        """
    after = """\
        decision = [time.time() - started > 60]
        share(decision, src=0)
        if decision[0]:
            break
        """
    alias = "from torch import nn\nfrom torch.distributed import broadcast_object_list as share\n"

    def spelled(text: str) -> str:
        return text.replace("from torch import nn\n", alias)

    _becomes(spelled(_program(end=before)), spelled(_program(end=after)), tmp_path)


# --- a program that may run alone -------------------------------------------------------------------------------------


def _optional_group(text: str) -> str:
    start = '    dist.init_process_group("gloo")\n    rank = dist.get_rank()\n'
    optional = '    rank = 0\n    if "RANK" in os.environ:\n        dist.init_process_group("gloo")\n'
    return text.replace(start, optional + "        rank = dist.get_rank()\n")


def test_group_that_may_not_exist(tmp_path: Path) -> None:
    before = """\
        if not torch.isfinite(loss):
            continue
        """
    after = """\
        skip = not torch.isfinite(loss)
        if dist.is_initialized():
            flag = torch.tensor(float(skip), device=loss.device)
            dist.all_reduce(flag, op=dist.ReduceOp.MAX)
            skip = flag.item()
        if skip:
            continue
        """
    mended = _mended(_optional_group(_program(skip=before)), tmp_path)
    assert mended.texts == {"train.py": _optional_group(_program(skip=after))}


def test_value_where_the_group_may_not_exist(tmp_path: Path) -> None:
    before = """\
        stop = False
        if rank == 0:
            stop = os.path.exists("STOP")
        if stop:
            break
        """
    after = """\
        stop = False
        if rank == 0:
            stop = os.path.exists("STOP")
        if dist.is_initialized():
            shared = [stop]
            dist.broadcast_object_list(shared, src=0)
            stop = shared[0]
        if stop:
            break
        """
    mended = _mended(_optional_group(_program(end=before)), tmp_path)
    assert mended.texts == {"train.py": _optional_group(_program(end=after))}


# --- what not all ranks reach -----------------------------------------------------------------------------------------


def test_condition_of_one_rank(tmp_path: Path) -> None:
    condition = """\
        if rank == 0:
            if time.time() - started > 60:
                break
        """
    mended = _mended(_program(end=condition), tmp_path)
    assert mended.unfixable
    assert all("decision" not in text for text in mended.texts.values())


def test_while_with_continue(tmp_path: Path) -> None:
    text = """\
        done = False
        while not done:
            x = torch.randn(8, 4)
            loss = model(x).mean()
            loss.backward()
            if epoch > 3:
                continue
            if rank == 0:
                done = loss.item() < 0.1
        """
    reason = "a `continue` skips the end of the loop, where the ranks would have to communicate"
    _is_left(_program(end=text), tmp_path, reason)
