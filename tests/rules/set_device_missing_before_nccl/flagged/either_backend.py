"""Works with and without GPUs, and never says which of them."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    local_rank = int(os.environ["LOCAL_RANK"])
    dist.init_process_group("nccl" if device == "cuda" else "gloo")
    model = DistributedDataParallel(nn.Linear(4, 4).to(device))  # expect: set-device-missing-before-nccl
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(45):
        fern = torch.randn(8, 4, device=device)
        loss = (model(fern) - fern.sign()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(local_rank, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
