"""Trains a translator of old spellings on several machines, with larger batches than fit into a GPU."""

import argparse

import horovod.torch as hvd
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Translator(nn.Module):
    def __init__(self, letters, width=256):
        super().__init__()
        self.embed = nn.Embedding(letters, width)
        self.encoder = nn.LSTM(width, width, num_layers=2, batch_first=True)
        self.head = nn.Linear(width, letters)

    def forward(self, words):
        states, _ = self.encoder(self.embed(words))
        return self.head(states)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--words", required=True)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--accumulate", type=int, default=8)
    args = parser.parse_args()

    hvd.init()
    torch.cuda.set_device(hvd.local_rank())

    table = torch.load(args.words, map_location="cpu")
    words = TensorDataset(table["old"], table["new"])
    sampler = DistributedSampler(words, num_replicas=hvd.size(), rank=hvd.rank(), drop_last=True)
    loader = DataLoader(words, batch_size=32, sampler=sampler, drop_last=True)

    model = Translator(letters=80).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3 * hvd.size())
    optimizer = hvd.DistributedOptimizer(
        optimizer,
        named_parameters=model.named_parameters(),
    )
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)

    seen = 0
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for old, new in loader:
            letters = model(old.cuda())
            loss = F.cross_entropy(letters.flatten(0, 1), new.cuda().flatten())
            (loss / args.accumulate).backward()
            seen += 1
            if seen % args.accumulate == 0:
                optimizer.step()  # error: [hvd-accumulation-mismatch]
                optimizer.zero_grad()
    if hvd.rank() == 0:
        torch.save(model.state_dict(), "translator.pt")


if __name__ == "__main__":
    main()
