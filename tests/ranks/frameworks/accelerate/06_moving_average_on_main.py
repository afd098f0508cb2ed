import copy

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self):
        self.accelerator = Accelerator(split_batches=True)
        torch.manual_seed(0)
        self.model = nn.Sequential(nn.Linear(8, 32), nn.SiLU(), nn.Linear(32, 8))
        self.optimizer = torch.optim.Adam(self.model.parameters())
        loader = DataLoader(TensorDataset(torch.rand(256, 8)), batch_size=16, shuffle=True)
        if self.accelerator.is_main_process:
            self.ema = copy.deepcopy(self.model).to(self.accelerator.device).eval()
        self.loader = self.accelerator.prepare(loader)
        self.model, self.optimizer = self.accelerator.prepare(self.model, self.optimizer)

    def train(self, epochs):
        for epoch in range(epochs):
            for (batch,) in self.loader:
                self.optimizer.zero_grad()
                self.accelerator.backward(nn.functional.mse_loss(self.model(batch), batch))
                self.accelerator.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
            self.accelerator.wait_for_everyone()
            if self.accelerator.is_main_process:
                raw = self.accelerator.unwrap_model(self.model)
                with torch.no_grad():
                    for kept, value in zip(self.ema.parameters(), raw.parameters()):
                        kept.lerp_(value, 0.01)
                    print(epoch, self.ema(torch.rand(4, 8).to(self.accelerator.device)).std().item())


if __name__ == "__main__":
    Trainer().train(4)
