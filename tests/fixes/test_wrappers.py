"""What fixes write where a model is in a wrapper, or may be."""

from __future__ import annotations

from pathlib import Path

from programs import Mended, mend_program

_NET = """\
import argparse

import torch
import torch.distributed as dist
from accelerate import Accelerator
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 4)
        self.register_buffer("seen", torch.zeros(1))

    def encode(self, x):
        return self.head(x)

    def forward(self, x):
        return self.head(x)


"""


def _mended(text: str, folder: Path) -> Mended:
    case = folder / "train.py"
    case.write_text(_NET + text)
    return mend_program(case, folder)


def test_a_trainer_takes_the_model_out_in_a_function_of_its_own(tmp_path: Path) -> None:
    """In a job of one process `prepare` gives the bare model, which has no `module`."""
    mended = _mended(
        """\
accelerator = Accelerator()
net = Net()
net, optimizer = accelerator.prepare(net, torch.optim.SGD(net.parameters(), lr=0.1))


def sample():
    net.eval()
    with torch.no_grad():
        print(net(torch.ones(1, 8)))


for turn in range(9):
    optimizer.zero_grad()
    accelerator.backward(net(torch.randn(4, 8)).mean())
    optimizer.step()
    if accelerator.is_main_process:
        sample()
""",
        tmp_path,
    )
    assert "print(accelerator.unwrap_model(net)(torch.ones(1, 8)))" in mended.texts["train.py"]


_CHOSEN = """\
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    several = parser.parse_args().local_rank >= 0
    held = {{"net": Net().cuda()}}
    if several:
        dist.init_process_group("nccl")
        held["net"] = DistributedDataParallel(held["net"])
    net = held["net"]
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for turn in range(9):
        optimizer.zero_grad()
        net(torch.randn(4, 8).cuda()).mean().backward()
        optimizer.step()
    print({model}.encode(torch.ones(1, 8).cuda()))


main()
"""


def test_a_model_that_may_be_wrapped_is_asked_for_what_is_inside(tmp_path: Path) -> None:
    mended = _mended(_CHOSEN.format(model="net"), tmp_path)
    assert 'getattr(net, "module", net).encode' in mended.texts["train.py"]


def test_one_without_a_name_is_left(tmp_path: Path) -> None:
    mended = _mended(_CHOSEN.format(model='held["net"]'), tmp_path)
    assert 'held["net"].encode' in mended.texts["train.py"]


def test_a_state_that_is_read_leniently_into_something_unseen_keeps_its_prefix(tmp_path: Path) -> None:
    mended = _mended(
        """\
def restore(path, **parts):
    found = torch.load(path, map_location="cpu")
    for name, part in parts.items():
        part.load_state_dict(found[name], strict=False)


def main():
    dist.init_process_group("nccl")
    net = DistributedDataParallel(Net().cuda())
    restore("last.pt", **{"net": net, **vars(argparse.ArgumentParser().parse_args())})
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for turn in range(9):
        optimizer.zero_grad()
        net(torch.randn(4, 8).cuda()).mean().backward()
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save(net.state_dict(), "net.pt")
    dist.destroy_process_group()


main()
""",
        tmp_path,
    )
    assert "torch.save(net.state_dict()" in mended.texts["train.py"]
