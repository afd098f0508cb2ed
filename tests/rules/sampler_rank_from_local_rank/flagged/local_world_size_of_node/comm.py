import os

import torch
import torch.distributed as dist


def start():
    torch.cuda.set_device(local_rank())
    dist.init_process_group("nccl")


def local_rank():
    return int(os.environ["LOCAL_RANK"])


def local_size():
    return int(os.environ["LOCAL_WORLD_SIZE"])


def is_main():
    return int(os.environ["RANK"]) == 0
