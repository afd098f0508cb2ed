# silent: a batch sampler of the project divides the batches among the ranks
from functools import partial

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, Sampler


class Sentences(Dataset):
    def __init__(self, lengths):
        self.lengths = lengths

    def __len__(self):
        return len(self.lengths)

    def __getitem__(self, index):
        return torch.full((self.lengths[index],), index % 90)


class LengthBuckets(Sampler):
    """Batches of similar length; rank r takes batch r of each group of world_size batches."""

    def __init__(self, lengths, batch_size, rank, world_size):
        self.order = sorted(range(len(lengths)), key=lengths.__getitem__)
        self.batch_size = batch_size
        self.rank, self.world_size = rank, world_size
        self.epoch = 0

    def __len__(self):
        return len(self.order) // (self.batch_size * self.world_size)

    def __iter__(self):
        generator = torch.Generator().manual_seed(self.epoch)
        self.epoch += 1
        for group in torch.randperm(len(self), generator=generator).tolist():
            first = (group * self.world_size + self.rank) * self.batch_size
            yield self.order[first : first + self.batch_size]


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    data = Sentences([5 + (7 * k) % 40 for k in range(5000)])
    buckets = LengthBuckets(data.lengths, 25, dist.get_rank(), dist.get_world_size())
    pad = partial(nn.utils.rnn.pad_sequence, batch_first=True)
    loader = DataLoader(data, batch_sampler=buckets, collate_fn=pad)
    model = DDP(nn.Sequential(nn.Embedding(90, 32), nn.Linear(32, 90)))
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(4):
        for tokens in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten()).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
