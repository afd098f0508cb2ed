import sys
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main(folder):
    dist.init_process_group("gloo")
    rank, size = dist.get_rank(), dist.get_world_size()
    mine = sorted(Path(folder).glob("*.pt"))[rank::size]  # own files  # expect: uneven-partition
    generator = torch.Generator().manual_seed(16)
    fields = [torch.rand(6, 6, generator=generator) for _ in range(61)]
    per = (len(fields) + size - 1) // size
    torch.manual_seed(0)
    net = DDP(nn.Linear(6, 6))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def step(x):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), x.flip(1)).backward()
        optimizer.step()

    for path in mine:
        step(torch.load(path))
    for index in range(rank, len(fields), size):  # expect: uneven-partition
        step(fields[index])
    for field in fields[per * rank : per * (rank + 1)]:  # expect: uneven-partition
        step(field)
    for field in sorted(fields, key=torch.sum)[rank::size]:  # expect: uneven-partition
        step(field)
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
