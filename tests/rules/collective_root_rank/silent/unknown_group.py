# silent: which ranks are in the group is not known, or the root is the first rank of the own group
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def groups_from(text):
    """One group for each part of `0,1;2,3`."""
    lists = [[int(rank) for rank in part.split(",")] for part in text.split(";")]
    return [(ranks, dist.new_group(ranks)) for ranks in lists]


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    per_node = int(os.environ["LOCAL_WORLD_SIZE"])
    torch.manual_seed(rank)
    model = DDP(nn.Linear(10, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(40):
        x = torch.randn(8, 10)
        loss = (model(x) - x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    score = loss.detach()
    for ranks, group in groups_from(os.environ.get("TEAMS", "0,1")):
        if rank in ranks:
            dist.broadcast(score, src=ranks[0], group=group)
    node, _ = dist.new_subgroups(group_size=per_node)
    leader = rank - rank % per_node
    dist.broadcast(score, src=leader, group=node)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
