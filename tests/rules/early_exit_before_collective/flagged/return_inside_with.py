import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def running_mean(model, x, world_size):
    with torch.no_grad():
        total = model.module(x).mean(0)
        if dist.get_rank() != 0:
            return total  # expect: early-exit-before-collective
        dist.all_reduce(total, op=dist.ReduceOp.SUM)
        total /= world_size
    return total


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(50 + rank)
    model = DDP(nn.Linear(11, 5))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    for step in range(240):
        x = torch.randn(18, 11)
        loss = model(x).logsumexp(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 60 == 59:
            centre = running_mean(model, x, world_size)
            if rank == 0:
                print(step, centre.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
