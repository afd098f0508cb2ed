# silent: the sends and receives are started as one batch
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def rotate(rank, size, block):
    incoming = torch.empty_like(block)
    operations = [
        dist.P2POp(dist.isend, block, (rank + 1) % size),
        dist.P2POp(dist.irecv, incoming, (rank - 1) % size),
    ]
    for work in dist.batch_isend_irecv(operations):
        work.wait()
    return incoming


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank, size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(rank)
    block = torch.randn(16, 32, device="cuda")
    model = DDP(nn.Linear(32, 32).cuda(), device_ids=[local_rank])
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(24):
        loss = (model(block) - block).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        block = rotate(rank, size, block)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
