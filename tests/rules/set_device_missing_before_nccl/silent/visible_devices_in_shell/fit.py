# silent: the start script shows each process its own GPU only
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Fitter:
    def __init__(self):
        dist.init_process_group(backend="nccl")
        self.model = DDP(nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 1)).to("cuda"))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)

    def fit(self, steps):
        for _ in range(steps):
            brook = torch.randn(128, 8, device="cuda")
            loss = (self.model(brook).squeeze(1) - brook.mean(dim=1)).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()


if __name__ == "__main__":
    fitter = Fitter()
    final = fitter.fit(int(os.environ.get("STEPS", "250")))
    if dist.get_rank() == 0:
        print(final)
    dist.destroy_process_group()
