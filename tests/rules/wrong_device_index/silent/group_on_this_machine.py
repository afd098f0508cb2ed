import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    dist.init_process_group("nccl", world_size=torch.cuda.device_count(), rank=local_rank)
    rank = dist.get_rank()
    torch.cuda.set_device(rank)
    model = DDP(torch.nn.Linear(2, 2).cuda(rank), device_ids=[rank])
    model(torch.ones(1, 2, device=rank)).sum().backward()
    dist.destroy_process_group()


main()
