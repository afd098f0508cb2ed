# silent: an IterableDataset that takes every world-th line; it cannot have a sampler
import itertools
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, IterableDataset

STEPS_PER_EPOCH = 400


class LogLines(IterableDataset):
    def __init__(self, path, rank, world_size):
        super().__init__()
        self.path = path
        self.rank = rank
        self.world_size = world_size

    def __iter__(self):
        while True:
            with open(self.path) as stream:
                for number, line in enumerate(stream):
                    if number % self.world_size == self.rank:
                        codes = [min(ord(c), 127) for c in line.strip().ljust(60)[:60]]
                        yield torch.tensor(codes), float("ERROR" in line)


def main(path):
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    lines = LogLines(path, dist.get_rank(), dist.get_world_size())
    loader = DataLoader(lines, batch_size=16)
    model = DDP(nn.Sequential(nn.EmbeddingBag(128, 16), nn.Linear(16, 1)))
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(3):
        for codes, is_error in itertools.islice(loader, STEPS_PER_EPOCH):
            optimizer.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(model(codes).squeeze(1), is_error.float())
            loss.backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
