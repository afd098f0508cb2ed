import torch.distributed as dist


class Patience:
    """Counts the epochs without progress."""

    def __init__(self, limit):
        self.limit = limit
        self.best = float("inf")
        self.waited = 0

    def exhausted(self, error):
        self.waited = 0 if error < self.best else self.waited + 1
        self.best = min(self.best, error)
        return self.waited >= self.limit


def time_to_stop(patience, error):
    if dist.get_rank() != 0:
        return False
    return patience.exhausted(error)
