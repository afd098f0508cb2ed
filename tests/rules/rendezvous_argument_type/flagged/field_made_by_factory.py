import os
from dataclasses import dataclass, field

import torch
import torch.distributed as dist


@dataclass
class Place:
    rank: str = field(default_factory=lambda: os.environ["RANK"])  # expect: rendezvous-argument-type
    device: int = field(default_factory=lambda: int(os.environ["LOCAL_RANK"]))


@dataclass
class Job:
    name: str = "run"
    place: Place = field(default_factory=Place)

    def is_first(self):
        return self.place.rank == 0


if __name__ == "__main__":
    job = Job()
    torch.cuda.set_device(job.place.device)
    dist.init_process_group("nccl")
    if job.is_first():
        print("started", job.name)
    dist.destroy_process_group()
