"""All settings of a run in one place."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Config:
    days_back: int = 14
    gauges: int = 12
    width: int = 128
    batch_size: int = 32
    epochs: int = 30
    lr: float = 5e-4
    folder: str = "runs/river"

    @property
    def checkpoint(self):
        return Path(self.folder) / "river.pt"
