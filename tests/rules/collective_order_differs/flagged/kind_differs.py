import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def average(value, is_main, world_size):
    """The mean over the ranks, needed on the first one."""
    if is_main:
        dist.all_reduce(value)  # expect: collective-order-differs
        return value / world_size
    dist.reduce(value, dst=0)
    return None


def main():
    dist.init_process_group(backend="gloo")
    is_main, world_size = dist.get_rank() == 0, dist.get_world_size()
    torch.manual_seed(20 + dist.get_rank())
    model = DDP(nn.Sequential(nn.Linear(3, 33), nn.ReLU(), nn.Linear(33, 3)))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    for step in range(500):
        x = torch.rand(16, 3)
        loss = (model(x) - x.sqrt()).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            mean = average(loss.detach().clone(), is_main, world_size)
            if is_main:
                print(step, mean.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
