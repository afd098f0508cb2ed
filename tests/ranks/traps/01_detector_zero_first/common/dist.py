import contextlib
import os

import torch
import torch.distributed as dist

LOCAL_RANK = int(os.getenv("LOCAL_RANK", -1))
RANK = int(os.getenv("RANK", -1))
WORLD_SIZE = int(os.getenv("WORLD_SIZE", 1))


@contextlib.contextmanager
def torch_distributed_zero_first(local_rank: int):
    """Let the first process of each node do the block before the others."""
    if local_rank not in [-1, 0]:
        dist.barrier(device_ids=[local_rank])
    yield
    if local_rank == 0:
        dist.barrier(device_ids=[0])


def select_device(batch_size):
    if LOCAL_RANK == -1:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    assert torch.cuda.device_count() > LOCAL_RANK, "too few GPUs on this machine"
    assert batch_size % WORLD_SIZE == 0, "the batch must divide among the GPUs"
    torch.cuda.set_device(LOCAL_RANK)
    dist.init_process_group("nccl" if dist.is_nccl_available() else "gloo")
    return torch.device("cuda", LOCAL_RANK)


def de_parallel(model):
    return model.module if isinstance(model, torch.nn.parallel.DistributedDataParallel) else model
