# silent: the root is a global rank of the group, or given as a place within it
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

UPPER = [2, 3]


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    upper = dist.new_group(UPPER)
    torch.manual_seed(rank)
    model = DDP(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(60):
        x = torch.randn(8, 4)
        loss = (model(x).squeeze(1) - x.amin(1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank in UPPER:
        scale = torch.full((1,), float(rank))
        dist.broadcast(scale, src=2, group=upper)
        dist.broadcast(scale, group_src=0, group=upper)
        dist.broadcast(scale, src=dist.get_global_rank(upper, 1), group=upper)
        print(rank, scale.item())
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
