import contextlib
import os
from dataclasses import dataclass

import torch
import torch.distributed as dist


@dataclass
class Place:
    rank: int
    local_rank: int

    def claim(self):
        torch.cuda.set_device(self.local_rank)


@contextlib.contextmanager
def environment(backend="nccl"):
    place = Place(rank=int(os.environ["RANK"]), local_rank=int(os.environ["LOCAL_RANK"]))
    place.claim()
    dist.init_process_group(backend)
    try:
        yield place
    finally:
        dist.destroy_process_group()
