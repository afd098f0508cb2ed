# silent: a trainer keeps the sampler in an attribute and calls it in a method
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Trainer:
    def __init__(self, net, data, batch_size):
        self.net = DDP(net)
        self.optimizer = torch.optim.Adam(self.net.parameters())
        self.train_sampler = DistributedSampler(data, shuffle=True)
        self.train_loader = DataLoader(data, batch_size=batch_size, sampler=self.train_sampler)
        self.epoch = 0

    def _start_epoch(self):
        self.net.train()
        self.train_sampler.set_epoch(self.epoch)

    def _run_epoch(self):
        for plank, strength in self.train_loader:
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.net(plank), strength).backward()
            self.optimizer.step()

    def fit(self, epochs):
        for self.epoch in range(epochs):
            self._start_epoch()
            self._run_epoch()


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(12)
    plank = torch.rand(1800, 7, generator=generator)
    torch.manual_seed(0)
    trainer = Trainer(nn.Linear(7, 1), TensorDataset(plank, plank.amin(1, keepdim=True)), batch_size=18)
    trainer.fit(7)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
