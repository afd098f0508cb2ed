# silent: the ranks agree on the smallest number of steps first
import itertools
import sys
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def common_steps(own):
    steps = torch.tensor([own])
    dist.all_reduce(steps, op=dist.ReduceOp.MIN)
    return int(steps.item())


def main(folder):
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    mine = sorted(Path(folder).glob("*.txt"))[rank::world_size]
    steps = common_steps(len(mine))
    torch.manual_seed(0)
    net = DDP(nn.Linear(26, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(3):
        for path in itertools.islice(mine, steps):
            text = path.read_text().lower()
            letters = torch.tensor([[float(text.count(chr(97 + k))) for k in range(26)]])
            optimizer.zero_grad()
            nn.functional.mse_loss(net(letters), letters.sum(1, keepdim=True)).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
