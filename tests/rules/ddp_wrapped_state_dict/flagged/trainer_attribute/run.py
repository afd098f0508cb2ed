import os
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

from engine import Engine


@dataclass
class Config:
    local_rank: int
    folder: str = "."
    epochs: int = 4
    lr: float = 1e-3


def main():
    config = Config(local_rank=int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(config.local_rank)
    dist.init_process_group("nccl")
    gen = torch.Generator().manual_seed(6)
    data = TensorDataset(torch.rand(400, 3, 20, 20, generator=gen), torch.rand(400, 1, 20, 20, generator=gen))
    loader = DataLoader(data, batch_size=10, sampler=DistributedSampler(data, shuffle=True))
    Engine(nn.Conv2d(3, 1, 5, padding=2), config).run(loader)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
