# silent: each half of the ranks talks within its own group, in an order of its own
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    half = world_size // 2
    lower = dist.new_group(list(range(half)))
    upper = dist.new_group(list(range(half, world_size)))
    torch.manual_seed(rank)
    model = DDP(nn.Linear(7, 7))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(60):
        x = torch.randn(10, 7)
        loss = (model(x) - x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    norm, peak = model.module.weight.detach().norm(), loss.detach()
    if rank < half:
        dist.all_reduce(norm, group=lower)
        dist.all_reduce(peak, op=dist.ReduceOp.MAX, group=lower)
    else:
        dist.all_reduce(peak, op=dist.ReduceOp.MAX, group=upper)
        dist.all_reduce(norm, group=upper)
    dist.barrier()
    print(rank, norm.item(), peak.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
