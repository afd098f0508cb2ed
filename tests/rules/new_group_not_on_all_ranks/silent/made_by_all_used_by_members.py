# silent: all ranks make the group, only its members use it
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Panel:
    def __init__(self, members):
        self.members = members
        self.group = dist.new_group(members)

    def __contains__(self, rank):
        return rank in self.members

    def mean(self, value):
        dist.all_reduce(value, group=self.group)
        return value.item() / len(self.members)


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    panel = Panel([0, world_size - 1])
    torch.manual_seed(rank)
    model = DDP(nn.Linear(9, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(60):
        x = torch.randn(12, 9)
        loss = model(x).logsumexp(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank in panel:
        print(rank, panel.mean(loss.detach()))
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
