# silent: what reduce made is read on its root only
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def is_main():
    return dist.get_rank() == 0


def reduce_dict(losses, average=True):
    world_size = dist.get_world_size()
    with torch.no_grad():
        names = sorted(losses)
        stacked = torch.stack([losses[name] for name in names])
        dist.reduce(stacked, dst=0)
        if dist.get_rank() == 0 and average:
            stacked /= world_size
        return dict(zip(names, stacked, strict=True))


def report(epoch, total, world_size):
    dist.reduce(total, dst=0, op=dist.ReduceOp.SUM)
    if not is_main():
        return
    print(epoch, total.item() / world_size)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(9, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(12):
        total = torch.zeros(1)
        for _ in range(10):
            x = torch.randn(16, 9)
            y = model(x)
            losses = {"left": y[:, 0].pow(2).mean(), "right": (y[:, 1] - 1).pow(2).mean()}
            optimizer.zero_grad()
            sum(losses.values()).backward()
            optimizer.step()
            total += sum(losses.values()).detach()
        means = reduce_dict(losses)
        if is_main():
            print({name: value.item() for name, value in means.items()})
        report(epoch, total, dist.get_world_size())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
