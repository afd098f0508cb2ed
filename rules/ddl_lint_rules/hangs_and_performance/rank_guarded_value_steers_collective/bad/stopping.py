"""When to end the training."""

from dataclasses import dataclass


@dataclass
class EarlyStopping:
    patience: int
    best: float = float("inf")
    waited: int = 0

    def update(self, error: float) -> bool:
        """Whether the error has not fallen for `patience` epochs."""
        if error < self.best:
            self.best, self.waited = error, 0
        else:
            self.waited += 1
        return self.waited >= self.patience
