"""The process group, and who writes."""

import os

import torch
import torch.distributed as dist


def setup() -> torch.device:
    cuda = torch.cuda.is_available()
    local_rank = int(os.environ["LOCAL_RANK"])
    if cuda:
        torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl" if cuda else "gloo")
    return torch.device("cuda", local_rank) if cuda else torch.device("cpu")


def is_main_process() -> bool:
    return dist.get_rank() == 0
