import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    host: str
    rank: int
    size: int


def place():
    return Place(
        host=os.environ["HEAD_NODE"],
        rank=int(os.environ["SLURM_PROCID"]),
        size=int(os.environ["SLURM_NTASKS"]),
    )
