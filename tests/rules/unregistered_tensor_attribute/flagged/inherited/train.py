import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from encoder import Encoder


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(Encoder().to(local_rank), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.Adam(model.parameters())
    for _ in range(100):
        x = torch.randn(8, 40, 48, generator=gen).to(local_rank)
        opt.zero_grad()
        nn.functional.mse_loss(model(x), x).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
