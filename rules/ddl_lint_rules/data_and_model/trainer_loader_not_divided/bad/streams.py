from torch.utils.data import RandomSampler
import torch


class Windows:
    """Cuts windows out of a long recording, in a random order."""

    def __init__(self, recording, length, batch):
        self.recording, self.length, self.batch = recording, length, batch
        self.order = RandomSampler(range(len(recording) - length))

    def __iter__(self):
        kept = []
        for start in self.order:
            kept.append(self.recording[start : start + self.length])
            if len(kept) == self.batch:
                yield torch.stack(kept)
                kept = []
