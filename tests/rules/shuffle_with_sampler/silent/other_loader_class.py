# silent: a DataLoader class of the project, which takes both arguments
import random


class DataLoader:
    """Yields lists of rows; `sampler` proposes the rows and `shuffle` mixes what it proposed."""

    def __init__(self, rows, batch_size, sampler=None, shuffle=False, seed=0):
        self.rows = rows
        self.batch_size = batch_size
        self.sampler = sampler or range(len(rows))
        self.shuffle = shuffle
        self.random = random.Random(seed)

    def __iter__(self):
        order = list(self.sampler)
        if self.shuffle:
            self.random.shuffle(order)
        for first in range(0, len(order), self.batch_size):
            yield [self.rows[i] for i in order[first : first + self.batch_size]]


class EveryOther:
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        return iter(range(0, len(self.rows), 2))


def main():
    rows = [(k, k * k) for k in range(100)]
    slope = 0.0
    for batch in DataLoader(rows, batch_size=5, sampler=EveryOther(rows), shuffle=True):
        for x, y in batch:
            slope += 1e-7 * (y - slope * x) * x
    print(slope)


if __name__ == "__main__":
    main()
