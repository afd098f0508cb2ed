import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader as Loader
from torch.utils.data import TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Workspace:
    def __init__(self, batch_size):
        self.local_rank = int(os.environ["LOCAL_RANK"])
        torch.cuda.set_device(self.local_rank)
        dist.init_process_group("nccl")
        self.device = torch.device("cuda", self.local_rank)
        self.batch_size = batch_size

    def data(self):
        generator = torch.Generator().manual_seed(11)
        ridge = torch.rand(3900, 13, generator=generator)
        rows = TensorDataset(ridge, ridge.sum(1, keepdim=True))
        self.sampler = DistributedSampler(rows)
        self.loader = Loader(  # expect: shuffle-with-sampler
            rows,
            batch_size=self.batch_size,
            sampler=self.sampler,
            shuffle=True,
            pin_memory=True,
        )

    def train(self, epochs):
        torch.manual_seed(0)
        net = DDP(nn.Linear(13, 1).to(self.device), device_ids=[self.local_rank])
        optimizer = torch.optim.Adam(net.parameters())
        for epoch in range(epochs):
            self.sampler.set_epoch(epoch)
            for ridge, total in self.loader:
                optimizer.zero_grad()
                nn.functional.mse_loss(net(ridge.to(self.device)), total.to(self.device)).backward()
                optimizer.step()


if __name__ == "__main__":
    workspace = Workspace(batch_size=39)
    workspace.data()
    workspace.train(epochs=3)
    dist.destroy_process_group()
