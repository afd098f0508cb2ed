"""The application builds its data before it connects."""

import torch
import torch.distributed as dist
from feeds import make_feed
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class App:
    def __init__(self, epochs):
        self.epochs = epochs
        self.loader = make_feed(batch_size=20)
        self.connect()
        self.model = DistributedDataParallel(nn.Linear(4, 1))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def connect(self):
        dist.init_process_group("gloo")

    def run(self):
        for epoch in range(self.epochs):
            self.loader.sampler.set_epoch(epoch)
            for features, target in self.loader:
                loss = (self.model(features).squeeze(1) - target).pow(2).mean()
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
        if dist.get_rank() == 0:
            torch.save(self.model.module.state_dict(), "app.pt")
        dist.destroy_process_group()


if __name__ == "__main__":
    App(epochs=3).run()
