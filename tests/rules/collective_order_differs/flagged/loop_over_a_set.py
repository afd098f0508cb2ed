import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

SHOWN = ["rain", "wind", "rain", "snow"]


def reduce_metrics(metrics, names):
    """Means over the ranks, each name once."""
    means = {}
    for name in set(names):
        dist.all_reduce(metrics[name])  # expect: collective-order-differs
        means[name] = metrics[name] / dist.get_world_size()
    return means


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(8, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(20):
        x = torch.randn(64, 8)
        errors = (model(x) - x[:, :3]).pow(2).mean(0)
        optimizer.zero_grad()
        errors.sum().backward()
        optimizer.step()
        metrics = dict(zip(("rain", "wind", "snow"), errors.detach().clone(), strict=True))
        means = reduce_metrics(metrics, SHOWN)
        if dist.get_rank() == 0:
            print(epoch, {name: value.item() for name, value in means.items()})
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
