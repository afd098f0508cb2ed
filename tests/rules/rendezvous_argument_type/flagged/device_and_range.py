import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    torch.cuda.set_device(os.environ["LOCAL_RANK"])  # expect: rendezvous-argument-type
    dist.init_process_group("nccl")
    world_size = os.environ.get("WORLD_SIZE", "1")  # expect: rendezvous-argument-type
    counts = [torch.zeros(1, device="cuda") for _ in range(world_size)]
    dist.all_gather(counts, torch.ones(1, device="cuda"))
    gpu = os.getenv("LOCAL_RANK")  # expect: rendezvous-argument-type
    model = DDP(nn.Linear(2, 2).cuda(), device_ids=[gpu])
    print(model(torch.ones(2, 2).cuda()).sum())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
