from dataclasses import dataclass


@dataclass
class Config:
    steps: int
    lr: float
    world_size: int = 2
    address: str = "tcp://127.0.0.1:29650"
