# silent: the literal stands in predict.py, which runs alone
import os

import torch
import torch.distributed as dist
from otter import Otter
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    rank, local_rank = int(os.environ["RANK"]), int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DistributedDataParallel(Otter().cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(115):
        river = torch.randn(10, 6).cuda(local_rank)
        loss = nn.functional.mse_loss(model(river), river.prod(dim=1, keepdim=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        torch.save(model.module.state_dict(), "otter.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
