import os
from dataclasses import dataclass

import torch
import torch.distributed as dist

from trainer import Trainer


@dataclass
class Config:
    factor: int = 2
    lr: float = 1e-4
    steps: int = 500


def main():
    config = Config()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    Trainer(config, local_rank).fit(config.steps)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
