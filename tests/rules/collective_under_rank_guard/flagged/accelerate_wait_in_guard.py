import os

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Run:
    def __init__(self, out):
        self.accelerator = Accelerator(mixed_precision="bf16")
        self.out = out
        generator = torch.Generator().manual_seed(1)
        ore = torch.rand(1024, 7, generator=generator)
        net = nn.Linear(7, 3)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        loader = DataLoader(TensorDataset(ore, ore[:, :3].argmax(1)), batch_size=16, shuffle=True)
        self.net, self.optimizer, self.loader = self.accelerator.prepare(net, optimizer, loader)

    def train(self):
        for ore, kind in self.loader:
            loss = nn.functional.cross_entropy(self.net(ore), kind)
            self.accelerator.backward(loss)
            self.optimizer.step()
            self.optimizer.zero_grad()

    def save(self):
        if self.accelerator.is_main_process:
            self.accelerator.wait_for_everyone()  # expect: collective-under-rank-guard
            os.makedirs(self.out, exist_ok=True)
            plain = self.accelerator.unwrap_model(self.net)
            self.accelerator.save(plain.state_dict(), os.path.join(self.out, "ore.pt"))


if __name__ == "__main__":
    run = Run("runs/ore")
    run.train()
    run.save()
