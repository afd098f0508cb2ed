class Patience:
    """Counts the epochs since the validation loss was best."""

    def __init__(self, epochs):
        self.epochs = epochs
        self.best = float("inf")
        self.waited = 0

    def is_over(self, loss):
        if loss < self.best:
            self.best = loss
            self.waited = 0
        else:
            self.waited += 1
        return self.waited >= self.epochs
