import torch
from torch.utils import data


class Measurements:
    """The measurements, with a part of them held out."""

    def __init__(self, args):
        self.args = args
        self.full = data.TensorDataset(torch.load(args.table, map_location="cpu"))
        self.train_set = self.val_set = None

    def split(self):
        total = len(self.full)
        held_out = int(total * self.args.held_out)
        self.train_set, self.val_set = data.random_split(self.full, [total - held_out, held_out])  # error: [unseeded-split-across-ranks]

    def loader(self, part):
        dataset = self.train_set if part == "train" else self.val_set
        sampler = data.distributed.DistributedSampler(dataset, shuffle=part == "train")
        return data.DataLoader(dataset, batch_size=self.args.batch_size, sampler=sampler), sampler
