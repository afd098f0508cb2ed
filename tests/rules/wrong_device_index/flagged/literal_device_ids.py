"""device_ids=[0] in every process."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def wrap(module, device):
    module = module.to(device)
    return DistributedDataParallel(module, device_ids=[0])  # expect: wrong-device-index


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    device = torch.device("cuda", local_rank)
    torch.cuda.set_device(device)
    dist.init_process_group("nccl")
    model = wrap(nn.Linear(6, 6), device)
    optimizer = torch.optim.RMSprop(model.parameters())
    for _ in range(205):
        storm = torch.randn(12, 6, device=device)
        loss = (model(storm) - storm.neg()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print(loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
