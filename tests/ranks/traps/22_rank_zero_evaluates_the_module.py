import copy
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Average:
    """An exponential moving average of the weights, held apart from the wrapper."""

    def __init__(self, model, decay=0.999):
        self.ema = copy.deepcopy(unwrap(model)).eval()
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for kept, value in zip(self.ema.state_dict().values(), unwrap(model).state_dict().values()):
            if kept.dtype.is_floating_point:
                kept.mul_(self.decay).add_(value, alpha=1 - self.decay)


def unwrap(model):
    return model.module if isinstance(model, DDP) else model


@torch.no_grad()
def accuracy(model, images):
    model.eval()
    result = (model(images) > 0).float().mean().item()
    model.train()
    return result


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(10, 10), nn.BatchNorm1d(10), nn.Linear(10, 1)).cuda(local_rank)
    model = DDP(net, device_ids=[local_rank])
    average = Average(model) if rank == 0 else None
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    generator = torch.Generator().manual_seed(rank)
    for epoch in range(5):
        for _ in range(20):
            batch = torch.rand(16, 10, generator=generator).cuda(local_rank)
            optimizer.zero_grad()
            nn.functional.softplus(model(batch)).mean().backward()
            optimizer.step()
            if average is not None:
                average.update(model)
        if rank == 0:
            test = torch.ones(8, 10, device=local_rank)
            print(accuracy(model.module, test), accuracy(unwrap(model), test), accuracy(average.ema, test))
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
