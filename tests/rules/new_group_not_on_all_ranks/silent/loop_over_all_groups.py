# silent: each rank makes all groups and keeps the one it belongs to
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def node_group(per_node):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    mine = None
    for first in range(0, world_size, per_node):
        ranks = list(range(first, min(first + per_node, world_size)))
        group = dist.new_group(ranks)
        if rank in ranks:
            mine = group
    return mine


def main():
    dist.init_process_group("gloo")
    node = node_group(int(os.environ["LOCAL_WORLD_SIZE"]))
    pairs = [dist.new_group([r, r + 1]) for r in range(0, dist.get_world_size() - 1, 2)]
    pair = pairs[dist.get_rank() // 2]
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(12, 12))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(70):
        x = torch.randn(10, 12)
        loss = (model(x) - x.sort(1).values).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    score = loss.detach()
    dist.all_reduce(score, group=node)
    dist.all_reduce(score, group=pair)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
