# silent: an exception does not leave the others waiting, the launcher ends the whole job
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def check_place(rank, local_rank, device_count):
    if local_rank >= device_count:
        raise RuntimeError(f"rank {rank} has no GPU of its own, only {device_count} are here")
    if rank != 0 and "MASTER_ADDR" not in os.environ:
        raise ValueError("the address of rank 0 is missing")


def main():
    rank, local_rank = int(os.environ["RANK"]), int(os.environ["LOCAL_RANK"])
    check_place(rank, local_rank, torch.cuda.device_count())
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    torch.manual_seed(rank)
    model = DDP(nn.Linear(40, 8).to(device), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(200):
        x = torch.randn(32, 40, device=device)
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
