import argparse

import horovod.torch as hvd
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Forecaster(torch.nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.encoder = torch.nn.GRU(8, width, batch_first=True)
        self.head = torch.nn.Linear(width, 1)

    def forward(self, series):
        states, _ = self.encoder(series)
        return self.head(states[:, -1])


def parse_args():
    parser = argparse.ArgumentParser(description="Forecast the load of a grid")
    parser.add_argument("--data", default="load.pt")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--lr", type=float, default=1e-3)
    return parser.parse_args()


def main():
    args = parse_args()
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())

    blob = torch.load(args.data, map_location="cpu")
    train_set = TensorDataset(blob["series"], blob["target"])
    sampler = DistributedSampler(train_set, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(train_set, batch_size=64, sampler=sampler)

    model = Forecaster(128).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())  # error: [hvd-initial-broadcast-missing]

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for series, target in loader:
            optimizer.zero_grad()
            loss = F.mse_loss(model(series.cuda()), target.cuda())
            loss.backward()
            optimizer.step()
        if hvd.rank() == 0:
            state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save(state, "forecaster.pt")


if __name__ == "__main__":
    main()
