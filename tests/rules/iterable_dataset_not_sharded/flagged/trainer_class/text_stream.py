from torch.utils.data import IterableDataset


class TokenBlocks(IterableDataset):
    """Cuts the text of many files into blocks of equal length."""

    def __init__(self, files, encode, length=128):
        self.files = files
        self.encode = encode
        self.length = length

    def __iter__(self):
        return self.blocks()

    def blocks(self):
        rest = []
        for file in self.files:
            rest += self.encode(open(file).read())
            while len(rest) > self.length:
                yield rest[: self.length]
                rest = rest[self.length :]
