# silent: the replicas of DDP are whole, their state is taken and written on rank 0
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def save(model, optimizer, path):
    if dist.get_rank() == 0:
        torch.save({"model": model.module.state_dict(), "optimizer": optimizer.state_dict()}, path)


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    model = DDP(nn.Linear(30, 30).cuda(), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters())
    for step in range(1000):
        loss = model(torch.rand(16, 30, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 99:
            save(model, optimizer, "last.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
