"""set_device with the global rank, in a script that knows its local rank."""

import logging
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

local_rank = int(os.environ["LOCAL_RANK"])
logging.basicConfig(format=f"[local rank {local_rank}] %(message)s", level=logging.INFO)


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(dist.get_rank())  # expect: wrong-device-index
    model = DistributedDataParallel(nn.Linear(8, 2).cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(155):
        fog = torch.randn(16, 8).cuda()
        loss = nn.functional.cross_entropy(model(fog), (fog[:, 1] > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    logging.info("loss %.4f", loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
