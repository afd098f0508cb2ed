# silent: the gradients are averaged by hand, in one tensor that is made of them
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def average(model):
    held = [p for p in model.parameters() if p.grad is not None]
    flat = torch.cat([p.grad.flatten() for p in held])
    dist.all_reduce(flat)
    flat /= dist.get_world_size()
    start = 0
    for p in held:
        p.grad.copy_(flat[start : start + p.numel()].view_as(p))
        start += p.numel()


def main():
    dist.init_process_group("gloo")
    model = DDP(nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    draws = torch.Generator().manual_seed(dist.get_rank())
    for step in range(80):
        with model.no_sync():
            loss = model(torch.randn(16, 8, generator=draws)).pow(2).mean()
            loss.backward()
        if step % 4 == 3:
            average(model)
            optimizer.step()
            optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
