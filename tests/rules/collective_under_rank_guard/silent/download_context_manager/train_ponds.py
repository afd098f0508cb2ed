# silent: the download idiom, its two halves in a context manager
import os
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from zero_first import torch_distributed_zero_first

LOCAL_RANK = int(os.getenv("LOCAL_RANK", "-1"))
RANK = int(os.getenv("RANK", "-1"))


def read(path: Path, rank: int = -1):
    with torch_distributed_zero_first(rank):
        return torch.load(path, map_location="cpu")


def main():
    device = torch.device("cpu")
    if LOCAL_RANK != -1:
        torch.cuda.set_device(LOCAL_RANK)
        device = torch.device("cuda", LOCAL_RANK)
        dist.init_process_group("nccl")
    ponds = read(Path("ponds.pt"), LOCAL_RANK).to(device)
    model = nn.Linear(ponds.shape[1], 3).to(device)
    if RANK != -1:
        model = DDP(model, device_ids=[LOCAL_RANK])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    generator = torch.Generator(device=device).manual_seed(max(RANK, 0))
    for _ in range(100):
        chosen = ponds[torch.randint(len(ponds), (16,), generator=generator, device=device)]
        loss = model(chosen).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if RANK in {-1, 0}:
        extra = read(Path("extra.pt"))
        print(loss.item(), extra.shape)


if __name__ == "__main__":
    main()
    dist.destroy_process_group()
