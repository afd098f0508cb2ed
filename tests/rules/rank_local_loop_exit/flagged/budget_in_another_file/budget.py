import time


class Budget:
    """How long the queue lets this job run."""

    def __init__(self, seconds, reserve=120):
        self.begin = time.perf_counter()
        self.seconds = seconds
        self.reserve = reserve

    def used(self):
        return time.perf_counter() - self.begin

    def is_spent(self):
        return self.used() + self.reserve > self.seconds
