"""What this process is within the job. Two nodes with eight GPUs each: see submit.sh."""

import os
from dataclasses import dataclass

import torch
import torch.distributed as dist


@dataclass
class Place:
    rank: int
    local_rank: int
    world_size: int
    device: torch.device


def join_job() -> Place:
    rank = int(os.environ["RANK"])
    local_rank = int(os.environ["LOCAL_RANK"])
    world_size = int(os.environ["WORLD_SIZE"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    return Place(rank, local_rank, world_size, torch.device("cuda", local_rank))
