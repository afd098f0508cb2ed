"""Learns to write poems from files that are shared out."""

import glob
import random

import horovod.torch as hvd
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Poems(IterableDataset):
    def __init__(self, files, seed):
        self.files = list(files)
        self.seed = seed

    def __iter__(self):
        random.Random(self.seed).shuffle(self.files)
        for path in self.files:
            for poem in torch.load(path):
                yield poem


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    net = nn.Sequential(nn.Embedding(5000, 64), nn.Linear(64, 5000)).cuda()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-4 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())
    hvd.broadcast_parameters(net.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    own = sorted(glob.glob("poems/*.pt"))[hvd.rank() :: hvd.size()]  # expect: uneven-partition
    for epoch in range(3):
        for words in DataLoader(Poems(own, epoch), batch_size=64):
            words = words.cuda()
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(words[:, :-1]).flatten(0, 1), words[:, 1:].flatten()).backward()
            optimizer.step()


if __name__ == "__main__":
    main()
