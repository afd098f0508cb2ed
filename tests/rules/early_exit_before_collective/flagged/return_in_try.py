from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


@dataclass
class Config:
    steps: int = 300
    lr: float = 0.01
    report: str = "kelp.txt"


def summarize(cfg, losses):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    mean = torch.tensor(losses).mean()
    try:
        if rank != 0:
            return  # expect: early-exit-before-collective
        dist.all_reduce(mean)
        with open(cfg.report, "w") as file:
            file.write(f"{mean.item() / world_size:.5f}\n")
    finally:
        losses.clear()


def main():
    cfg = Config()
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr)
    losses = []
    for _ in range(cfg.steps):
        x = torch.randn(16, 4)
        loss = (model(x).squeeze(1) - x[:, 0]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    summarize(cfg, losses)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
