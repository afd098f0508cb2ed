# silent: the group is created where it does not exist yet, behind an early return, and asked for through an attribute
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def connect(backend):
    if dist.is_initialized():
        return dist.get_rank()
    dist.init_process_group(backend)
    return dist.get_rank()


class Meter:
    def __init__(self):
        self.shared = dist.is_initialized()

    def total(self, value):
        box = torch.tensor([value])
        if not self.shared:
            return box.item()
        dist.all_reduce(box)
        return box.item()


def main():
    early = Meter()
    print(early.total(1.0))
    rank = connect("gloo")
    model = DistributedDataParallel(nn.Linear(3, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(20):
        loam = torch.randn(8, 3)
        loss = (model(loam) - loam.sum(dim=1, keepdim=True)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    worst = Meter().total(loss.item())
    if rank == 0:
        print(worst)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
