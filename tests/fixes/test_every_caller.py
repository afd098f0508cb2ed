"""A fix is made only where it is right for whoever comes to the place: other callers, other ranks, later calls."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from programs import Mended, mend_program


def _mended(folder: Path, **files: str) -> Mended:
    source = folder / "source"
    source.mkdir()
    for name, text in files.items():
        (source / f"{name}.py").write_text(dedent(text), encoding="utf-8")
    return mend_program(source, folder, ignore=("distributed-shutdown-missing",))


_NET = """
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.head = nn.Linear(4, 4)
            self.paths = []

        def forward(self, x):
            return self.head(x)

        @classmethod
        def restored(cls, path):
            return cls()
"""
_TRAIN = """
    import torch
    import torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel as DDP
    from net import Net
    from report import report

    dist.init_process_group("gloo")
    net = DDP(Net())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net(torch.ones(2, 4)).sum().backward()
    optimizer.step()
    report(net)
"""


def test_a_model_that_is_handed_to_another_file_may_come_without_wrapper(tmp_path: Path) -> None:
    mended = _mended(tmp_path, net=_NET, train=_TRAIN, report="def report(net):\n    print(net.paths)\n")
    assert mended.texts["report.py"] == 'def report(net):\n    print(getattr(net, "module", net).paths)\n'


def test_what_takes_the_place_of_the_wrapper_has_no_fix(tmp_path: Path) -> None:
    train = _TRAIN.replace("report(net)", 'net = net.restored("net.pt")')
    mended = _mended(tmp_path, net=_NET, train=train, report="def report(net): ...\n")
    assert "the result replaces the wrapper" in {reason for _, reason in mended.unfixable}


def test_a_state_that_all_ranks_save_is_not_gathered(tmp_path: Path) -> None:
    train = """
        import os
        import torch
        import torch.distributed as dist
        from torch import nn
        from torch.distributed.fsdp import fully_shard

        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        dist.init_process_group("nccl")
        net = nn.Linear(4, 4).cuda()
        fully_shard(net)
        net(torch.ones(2, 4).cuda()).sum().backward()
        torch.save(net.state_dict(), "net.pt")
    """
    reasons = {reason for _, reason in _mended(tmp_path, train=train).unfixable}
    assert "all ranks write this file, and the gathered state is empty on all but one of them" in reasons


def test_what_is_compared_is_gathered_in_the_same_way(tmp_path: Path) -> None:
    train = """
        import torch
        from accelerate import Accelerator
        from torch import nn
        from torch.utils.data import DataLoader, TensorDataset

        accelerator = Accelerator()
        data = TensorDataset(torch.ones(10, 4), torch.zeros(10))
        net, loader = accelerator.prepare(nn.Linear(4, 2), DataLoader(data, batch_size=4))
        found, wanted = [], []
        for x, y in loader:
            found.append(accelerator.gather(net(x).argmax(dim=-1)))
            wanted.append(accelerator.gather(y))
        print(found == wanted)
    """
    text = _mended(tmp_path, train=train).texts["train.py"]
    assert text.count("accelerator.gather_for_metrics(") == 2


_DRAW = """
    import random
    import torch
    import torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel as DDP
    from torch.utils.data import DataLoader, Dataset, DistributedSampler

    class Pieces(Dataset):
        def __init__(self):
            self.draw()

        def draw(self):
            self.chosen = random.sample(range(1000), 100)

        def __len__(self):
            return len(self.chosen)

        def __getitem__(self, index):
            return torch.full((4,), float(self.chosen[index]))

    dist.init_process_group("gloo")
    pieces = Pieces()
    sampler = DistributedSampler(pieces)
    loader = DataLoader(pieces, batch_size=4, sampler=sampler)
    net = DDP(torch.nn.Linear(4, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(9):
        sampler.set_epoch(epoch)
        for x in loader:
            optimizer.zero_grad()
            net(x).sum().backward()
            optimizer.step()
"""


def test_a_draw_that_may_be_made_again_keeps_its_seed(tmp_path: Path) -> None:
    again = _mended(tmp_path, train=_DRAW + "        loader.dataset.draw()\n")
    assert "random.Random(0)" not in again.texts["train.py"]


def test_a_program_that_also_runs_without_a_launcher_keeps_doing_so(tmp_path: Path) -> None:
    train = """
        import os
        import torch
        import torch.distributed as dist

        local_rank = int(os.getenv("LOCAL_RANK", "0"))
        size = int(os.getenv("WORLD_SIZE", "1"))
        dist.init_process_group("gloo", rank=local_rank, world_size=size)
        total = torch.ones(1)
        dist.all_reduce(total)
        dist.destroy_process_group()
    """
    mended = _mended(tmp_path, train=train)
    assert 'rank=int(os.environ.get("RANK", 0))' in mended.texts["train.py"]
