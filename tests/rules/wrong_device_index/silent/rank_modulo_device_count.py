# silent: the global rank modulo the GPUs of the machine is the local rank
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def local_index():
    return int(os.environ["RANK"]) % torch.cuda.device_count()


def main():
    nodes = int(os.environ.get("NNODES", "1"))
    torch.cuda.set_device(local_index())
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    gpus = torch.cuda.device_count()
    device = torch.device("cuda", rank % gpus)
    model = DistributedDataParallel(nn.Linear(40, 4).to(device), device_ids=[rank % gpus])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(160):
        quartz = torch.randn(20, 40, device=f"cuda:{rank % torch.cuda.device_count()}")
        loss = nn.functional.cross_entropy(model(quartz), quartz[:, :4].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        print(f"{nodes} node(s):", loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
