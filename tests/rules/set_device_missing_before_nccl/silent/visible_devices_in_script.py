# silent: the script itself hides all GPUs but its own, before CUDA starts
import os

os.environ["CUDA_VISIBLE_DEVICES"] = os.environ["LOCAL_RANK"]

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    dist.init_process_group("nccl")
    model = DistributedDataParallel(nn.Linear(15, 15).cuda())
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(90):
        slate = torch.randn(30, 15).cuda()
        loss = (model(slate) - slate.roll(1, dims=1)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.barrier()
    if dist.get_rank() == 0:
        print(loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
