from torch.utils.data import DistributedSampler
import torch


class Windows:
    """Cuts windows out of a long recording, in a random order."""

    def __init__(self, recording, length, batch):
        self.recording, self.length, self.batch = recording, length, batch
        self.order = None

    def __iter__(self):
        if self.order is None:
            self.order = DistributedSampler(range(len(self.recording) - self.length))
        kept = []
        for start in self.order:
            kept.append(self.recording[start : start + self.length])
            if len(kept) == self.batch:
                yield torch.stack(kept)
                kept = []
