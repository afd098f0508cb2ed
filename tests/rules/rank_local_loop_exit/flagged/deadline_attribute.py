import datetime
import os
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


@dataclass
class Config:
    hours: float = 8.0
    epochs: int = 300
    lr: float = 3e-4


class Experiment:
    def __init__(self, config, device):
        self.config = config
        self.device = device
        self.deadline = datetime.datetime.now() + datetime.timedelta(hours=config.hours)
        data = TensorDataset(*torch.load("orchards.pt", map_location="cpu"))
        self.sampler = DistributedSampler(data)
        self.loader = DataLoader(data, batch_size=24, sampler=self.sampler, num_workers=4)
        self.model = DDP(nn.Linear(77, 5).to(device), device_ids=[device])
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=config.lr)

    def train(self):
        for epoch in range(self.config.epochs):
            self.sampler.set_epoch(epoch)
            for leaves, fruit in self.loader:
                self.optimizer.zero_grad(set_to_none=True)
                nn.functional.cross_entropy(self.model(leaves.to(self.device)), fruit.to(self.device)).backward()
                self.optimizer.step()
                if datetime.datetime.now() > self.deadline:
                    return epoch  # expect: rank-local-loop-exit
        return self.config.epochs


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    done = Experiment(Config(), device).train()
    print(f"stopped after {done} epochs")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
