# silent: the job script binds one GPU to each task, so GPU 0 is a different one in each process
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    rank = int(os.environ["SLURM_PROCID"])
    world_size = int(os.environ["SLURM_NTASKS"])
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    model = DistributedDataParallel(nn.Linear(50, 5).cuda())
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(400):
        lichen = torch.randn(64, 50, device="cuda")
        loss = nn.functional.cross_entropy(model(lichen), lichen[:, :5].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.barrier()
    if rank == 0:
        torch.save(model.module.state_dict(), "lichen.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
