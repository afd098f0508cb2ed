# silent: the same name is wrapped only in distributed runs, and there the raw module is used
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    ddp = int(os.environ.get("RANK", -1)) != -1
    rank = 0
    if ddp:
        dist.init_process_group("gloo")
        rank = dist.get_rank()
    master_process = rank == 0
    model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 4))
    if ddp:
        model = DDP(model)
    raw_model = model.module if ddp else model
    optimizer = torch.optim.AdamW(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for step in range(300):
        loss = model(torch.rand(16, 4, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0 and master_process:
            raw_model.eval()
            with torch.no_grad():
                print(step, raw_model(torch.zeros(2, 4)).tolist())
            raw_model.train()
    if ddp:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
