import os

import torch
import torch.distributed as dist


def local_rank():
    return int(os.environ["LOCAL_RANK"])


def global_rank():
    return dist.get_rank()


def join():
    torch.cuda.set_device(local_rank())
    dist.init_process_group("nccl")
