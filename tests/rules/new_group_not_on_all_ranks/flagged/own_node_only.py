import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Topology:
    """The group of this node, for what is exchanged over the fast links."""

    def __init__(self, per_node):
        self.rank = dist.get_rank()
        first = self.rank // per_node * per_node
        members = list(range(first, first + per_node))
        self.node = dist.new_group(ranks=members, backend="gloo")  # expect: new-group-not-on-all-ranks
        self.size = per_node


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    topology = Topology(int(os.environ["LOCAL_WORLD_SIZE"]))
    device = torch.device("cuda", local_rank)
    torch.manual_seed(topology.rank)
    model = DDP(nn.Linear(64, 64).to(device), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for _ in range(300):
        x = torch.randn(32, 64, device=device)
        loss = (model(x) - x.roll(1, 1)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    seen = torch.tensor([300.0 * 32])
    dist.all_reduce(seen, group=topology.node)
    print(topology.rank, int(seen))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
