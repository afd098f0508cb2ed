# silent: the gradients are averaged by hand, in a tensor that was made before and is filled with them
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    model = DDP(nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    draws = torch.Generator().manual_seed(dist.get_rank())
    room = torch.zeros(sum(p.numel() for p in model.parameters()))
    for step in range(80):
        with model.no_sync():
            loss = model(torch.randn(16, 8, generator=draws)).pow(2).mean()
            loss.backward()
        start = 0
        for p in model.parameters():
            room[start : start + p.numel()] = p.grad.flatten()
            start += p.numel()
        dist.all_reduce(room, op=dist.ReduceOp.AVG)
        start = 0
        for p in model.parameters():
            p.grad.copy_(room[start : start + p.numel()].view_as(p))
            start += p.numel()
        optimizer.step()
        optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
