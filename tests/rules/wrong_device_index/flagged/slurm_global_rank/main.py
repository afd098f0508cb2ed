"""Four Slurm nodes, and the global rank in an f-string."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Job:
    def __init__(self):
        dist.init_process_group("nccl")
        self.rank = dist.get_rank()
        self.is_node_main = int(os.environ["LOCAL_RANK"]) == 0
        self.device = f"cuda:{self.rank}"  # error: [wrong-device-index]
        torch.cuda.set_device(self.device)

    def run(self, steps):
        model = DistributedDataParallel(nn.Linear(29, 1).to(self.device))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        for _ in range(steps):
            frost = torch.randn(58, 29, device=self.device)
            loss = (model(frost).squeeze(1) - frost.amax(dim=1)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if self.is_node_main:
            print("node done", loss.item())
        if self.rank == 0:
            torch.save(model.module.state_dict(), "frost.pt")


if __name__ == "__main__":
    Job().run(steps=175)
    dist.destroy_process_group()
