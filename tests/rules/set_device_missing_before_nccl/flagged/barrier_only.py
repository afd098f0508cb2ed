"""All placements carry an index; the barrier does not know the device."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def prepare(path):
    if dist.get_rank() == 0 and not os.path.exists(path):
        torch.save(torch.rand(1000, 14), path)
    dist.barrier()  # expect: set-device-missing-before-nccl
    return torch.load(path, map_location="cpu")


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    device = torch.device("cuda", local_rank)
    dist.init_process_group("nccl")
    table = prepare("table.pt").to(device)
    model = DistributedDataParallel(nn.Linear(14, 1).to(device), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    generator = torch.Generator(device).manual_seed(dist.get_rank())
    for _ in range(95):
        rows = table[torch.randint(0, len(table), (32,), generator=generator, device=device)]
        loss = (model(rows).squeeze(1) - rows.mean(dim=1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
