"""Reads frames of spoken digits from text files: one line holds a label and the frame's coefficients."""

from pathlib import Path

import torch
from torch.utils.data import DataLoader, IterableDataset


class FrameStream(IterableDataset):
    def __init__(self, folder: str, coefficients: int):
        super().__init__()
        self.files = sorted(Path(folder).glob("*.txt"))
        self.coefficients = coefficients

    def __iter__(self):
        for path in self.files:
            with path.open() as lines:
                for line in lines:
                    label, *frame = line.split()
                    if len(frame) == self.coefficients:
                        yield torch.tensor([float(value) for value in frame]), int(label)


def make_loader(folder: str, batch_size: int, coefficients: int = 39):
    frames = FrameStream(folder, coefficients)
    return DataLoader(frames, batch_size=batch_size, drop_last=True)  # error: [iterable-dataset-not-sharded]
