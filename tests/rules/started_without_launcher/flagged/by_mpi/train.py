import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])  # related: [started-without-launcher]
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29500")
    torch.cuda.set_device(rank % torch.cuda.device_count())
    dist.init_process_group("nccl", rank=rank, world_size=size)
    model = DDP(nn.Linear(8, 1).cuda())
    model(torch.randn(4, 8).cuda()).mean().backward()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
