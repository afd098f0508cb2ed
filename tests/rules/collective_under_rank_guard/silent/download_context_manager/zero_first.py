import contextlib

import torch.distributed as dist


@contextlib.contextmanager
def torch_distributed_zero_first(local_rank: int):
    """The first process of a node goes ahead, the others of the node follow."""
    initialized = dist.is_available() and dist.is_initialized()
    if initialized and local_rank not in {-1, 0}:
        dist.barrier(device_ids=[local_rank])
    yield
    if initialized and local_rank == 0:
        dist.barrier(device_ids=[0])
