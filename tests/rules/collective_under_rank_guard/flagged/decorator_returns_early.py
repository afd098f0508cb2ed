import functools

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def only_on(chosen):
    """Run the function on one rank; elsewhere the call gives None."""

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            if dist.get_rank() != chosen:
                return None
            return function(*args, **kwargs)

        return wrapper

    return decorate


@only_on(0)
def write(model, path):
    torch.save(model.state_dict(), path)


@only_on(0)
def report(step, loss):
    mean = loss.clone()
    dist.all_reduce(mean, op=dist.ReduceOp.AVG)  # expect: collective-under-rank-guard
    print(step, mean.item())


def main():
    dist.init_process_group("gloo")
    model = DDP(nn.Linear(8, 1))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(dist.get_rank())
    for step in range(200):
        reeds = torch.rand(16, 8, generator=generator)
        loss = (model(reeds).squeeze(1) - reeds.amax(1)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            report(step, loss.detach())
    write(model.module, "reeds.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
