"""Learns the worth of moves from games that were played."""

import os

import horovod.torch as hvd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Worth(nn.Sequential):
    def __init__(self, moves):
        super().__init__(nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, moves))


class Learner:
    def __init__(self, path):
        self.path = path
        self.net = Worth(64).cuda()
        optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-4 * hvd.size())
        self.optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=self.net.named_parameters())

    def share(self):
        hvd.broadcast_parameters(self.net.state_dict(), root_rank=0)
        hvd.broadcast_optimizer_state(self.optimizer, root_rank=0)

    def go_on(self):
        if hvd.rank() == 0 and os.path.exists(self.path):
            state = torch.load(self.path)
            self.net.load_state_dict(state["net"])
            self.optimizer.load_state_dict(state["optimizer"])

    def learn(self, board, move, won):
        self.optimizer.zero_grad()
        worth = self.net(board).gather(1, move[:, None]).squeeze(1)
        nn.functional.mse_loss(worth, won).backward()
        self.optimizer.step()


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    games = torch.load("games.pt")
    data = TensorDataset(games["board"], games["move"], games["won"])
    sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(data, batch_size=512, sampler=sampler)
    learner = Learner("worth.pt")
    learner.share()
    learner.go_on()  # expect: hvd-resume-order
    for epoch in range(30):
        sampler.set_epoch(epoch)
        for batch in loader:
            learner.learn(*(part.cuda() for part in batch))


if __name__ == "__main__":
    main()
