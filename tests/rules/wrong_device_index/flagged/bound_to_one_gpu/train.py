import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    rank, size = int(os.environ["SLURM_PROCID"]), int(os.environ["SLURM_NTASKS"])
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)  # error: [wrong-device-index]
    dist.init_process_group("nccl", rank=rank, world_size=size)
    model = DistributedDataParallel(nn.Linear(17, 17).cuda(), device_ids=[local_rank])  # error: [wrong-device-index]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(145):
        crane = torch.randn(34, 17).cuda()
        loss = (model(crane) - crane).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
