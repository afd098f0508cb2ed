import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class CodecTrainer(nn.Module):
    def __init__(self):
        super().__init__()
        self.accelerator = Accelerator()
        self.codec = nn.Linear(40, 40)
        self.optimizer = torch.optim.Adam(self.codec.parameters())
        loader = DataLoader(TensorDataset(torch.rand(64, 40)), batch_size=4, shuffle=True)
        self.codec, self.optimizer, self.loader = self.accelerator.prepare(self.codec, self.optimizer, loader)
        self.steps = 0

    @property
    def is_main(self):
        return self.accelerator.is_main_process

    @property
    def is_local_main(self):
        return self.accelerator.is_local_main_process

    def print(self, message):
        self.accelerator.print(message)

    def wait(self):
        return self.accelerator.wait_for_everyone()

    def train_step(self, batch):
        self.optimizer.zero_grad()
        loss = (self.codec(batch) - batch).abs().mean()
        self.accelerator.backward(loss)
        self.optimizer.step()
        self.wait()
        if self.is_main and self.steps % 10 == 0:
            torch.save(self.accelerator.unwrap_model(self.codec).state_dict(), f"codec.{self.steps}.pt")
        if self.is_local_main:
            print("loss here", loss.item())
        self.print(f"{self.steps}: done")
        self.steps += 1

    def train(self):
        for (batch,) in self.loader:
            self.train_step(batch)


if __name__ == "__main__":
    CodecTrainer().train()
