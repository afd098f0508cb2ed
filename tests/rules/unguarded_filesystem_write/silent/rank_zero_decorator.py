# silent: the decorator lets only rank 0 into the functions that write
import functools
import json
import os

import torch
import torch.distributed as dist
from lightning_utilities.core.rank_zero import rank_zero_only
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def master_only(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        if dist.get_rank() == 0:
            return function(*args, **kwargs)
        return None

    return wrapper


@master_only
def write_weights(net, path):
    torch.save(net.state_dict(), path)


@rank_zero_only
def write_report(path, **numbers):
    with open(path, "w") as handle:
        json.dump(numbers, handle)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank_zero_only.rank = dist.get_rank()
    model = DDP(nn.Linear(14, 2).to(local_rank), device_ids=[local_rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    gen = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(100):
        x = torch.randn(16, 14, generator=gen).to(local_rank)
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x), (x[:, 0] > 0).long())
        loss.backward()
        opt.step()
    write_weights(model.module, "sign.pt")
    write_report("sign.json", steps=100, batch=16)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
