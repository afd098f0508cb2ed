import torch
import torch.distributed as dist


class Recorder:
    """Keeps sums and counts of named numbers."""

    def __init__(self):
        self.sums = {}
        self.counts = {}

    def add(self, name, value):
        self.sums[name] = self.sums.get(name, 0.0) + value
        self.counts[name] = self.counts.get(name, 0) + 1

    def synchronize(self):
        for name in sorted(self.sums):
            pair = torch.tensor([self.sums[name], float(self.counts[name])], dtype=torch.float64)
            dist.all_reduce(pair)
            self.sums[name], self.counts[name] = pair[0].item(), int(pair[1].item())

    def mean(self, name):
        return self.sums[name] / self.counts[name]
