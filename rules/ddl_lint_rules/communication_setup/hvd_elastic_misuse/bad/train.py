"""Trains a forecast of river levels on a cluster that may grow and shrink."""

import argparse

import horovod.torch as hvd
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_model(width=64):
    return nn.Sequential(nn.Linear(24, width), nn.ReLU(), nn.Linear(width, 1))


@hvd.elastic.run
def train(state, loader, sampler, epochs):
    for state.epoch in range(state.epoch, epochs):
        sampler.set_epoch(state.epoch)
        for number, (levels, target) in enumerate(loader):
            state.optimizer.zero_grad()
            loss = F.mse_loss(state.model(levels.cuda()), target.cuda())
            loss.backward()
            state.optimizer.step()
            sampler.record_batch(number, 64)
            if number % 20 == 0:
                state.commit()
        state.commit()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--levels", required=True)
    parser.add_argument("--epochs", type=int, default=30)
    args = parser.parse_args()

    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    table = torch.load(args.levels, map_location="cpu")
    dataset = TensorDataset(table["levels"], table["target"])
    sampler = hvd.elastic.ElasticSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)

    model = make_model().cuda()
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)  # error: [hvd-elastic-misuse]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    state = hvd.elastic.TorchState(model=model, optimizer=optimizer, sampler=sampler, epoch=0)
    train(state, loader, sampler, args.epochs)
    if hvd.rank() == 0:
        torch.save(model.state_dict(), "forecast.pt")


if __name__ == "__main__":
    main()
