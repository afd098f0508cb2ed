# silent: the code asks for the inner module, and falls back to the model when there is no wrapper
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

WORLD_SIZE = int(os.environ.get("WORLD_SIZE", "1"))
LOCAL_RANK = int(os.environ.get("LOCAL_RANK", "0"))


def weights(model):
    return model.module.state_dict() if hasattr(model, "module") else model.state_dict()


def main():
    distributed = WORLD_SIZE > 1
    torch.cuda.set_device(LOCAL_RANK)
    rank = 0
    if distributed:
        dist.init_process_group("nccl")
        rank = dist.get_rank()
    model = nn.Linear(64, 64).to(LOCAL_RANK)
    if distributed:
        model = DDP(model, device_ids=[LOCAL_RANK])
    raw_model = model.module if distributed else model
    gen = torch.Generator().manual_seed(5 + rank)
    opt = torch.optim.AdamW(model.parameters())
    for _ in range(100):
        x = torch.randn(8, 64, generator=gen).to(LOCAL_RANK)
        opt.zero_grad()
        nn.functional.mse_loss(model(x), x.cumsum(1)).backward()
        opt.step()
    if rank == 0:
        torch.save(weights(model), "cumsum.pt")
        torch.save({"again": raw_model.state_dict(), "opt": opt.state_dict()}, "cumsum_full.pt")
    if distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
