import os
from dataclasses import dataclass


@dataclass
class Place:
    rank: str
    world_size: str


def slurm_place():
    rank = os.environ["SLURM_PROCID"]  # error: [rendezvous-argument-type]
    world_size = os.environ["SLURM_NTASKS"]  # error: [rendezvous-argument-type]
    return Place(rank, world_size)
