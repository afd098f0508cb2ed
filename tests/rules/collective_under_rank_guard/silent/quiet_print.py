# silent: print is replaced on the other ranks, which is no collective
import builtins

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def setup_for_distributed(is_master):
    original = builtins.print

    def quiet(*args, **kwargs):
        force = kwargs.pop("force", False)
        if is_master or force:
            original(*args, **kwargs)

    builtins.print = quiet


class SmoothedValue:
    def __init__(self):
        self.count, self.total = 0, 0.0

    def update(self, value):
        self.count += 1
        self.total += value

    def synchronize_between_processes(self):
        if not dist.is_initialized():
            return
        pair = torch.tensor([self.count, self.total], dtype=torch.float64)
        dist.barrier()
        dist.all_reduce(pair)
        self.count, self.total = int(pair[0]), pair[1].item()


def main():
    dist.init_process_group("gloo")
    setup_for_distributed(dist.get_rank() == 0)
    model = DDP(nn.Linear(5, 5))
    optimizer = torch.optim.Adam(model.parameters())
    meter = SmoothedValue()
    generator = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(40):
        loss = model(torch.rand(8, 5, generator=generator)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter.update(loss.item())
    meter.synchronize_between_processes()
    print(meter.total / meter.count)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
