import os
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = int(os.environ["RANK"])
    torch.manual_seed(rank)
    model = DDP(nn.Sequential(nn.Linear(9, 27), nn.Tanh(), nn.Linear(27, 3)))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    folder = Path("moss")
    for epoch in range(12):
        for _ in range(30):
            x = torch.randn(32, 9)
            loss = nn.functional.mse_loss(model(x), x[:, :3])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if rank != 0:
            continue  # expect: early-exit-before-collective
        folder.mkdir(exist_ok=True)
        torch.save(model.module.state_dict(), folder / f"{epoch:03d}.pt")
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
