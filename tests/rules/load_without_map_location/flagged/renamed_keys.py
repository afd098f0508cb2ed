import os
from collections import OrderedDict

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def without_scope(weights):
    renamed = OrderedDict()
    for name, value in weights.items():
        renamed[name[len("scope.") :]] = value
    return renamed


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    lens, mirror = nn.Linear(9, 9), nn.Linear(9, 9)
    lens.load_state_dict(without_scope(torch.load("lens.pt")))  # expect: load-without-map-location
    saved = torch.load("mirror.pt")  # expect: load-without-map-location
    mirror.load_state_dict({f"{name}": value for name, value in saved["mirror"].items()})
    model = DDP(nn.Sequential(lens, mirror).to(local_rank), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        light = torch.randn(32, 9, generator=gen).to(local_rank)
        opt.zero_grad()
        nn.functional.mse_loss(model(light), light).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
