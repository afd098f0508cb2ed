"""Learn to read the age of wine from its spectrum. Started with torchrun."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

BATCH = 64


def spectra(count=8192):
    generator = torch.Generator().manual_seed(11)
    spectrum = torch.randn(count, 128, generator=generator)
    return TensorDataset(spectrum, spectrum[:, :8].sum(dim=1, keepdim=True))


class Job:
    def __init__(self):
        self.rank = os.environ["RANK"]  # error: [rendezvous-argument-type]
        self.local_rank = int(os.environ["LOCAL_RANK"])
        torch.cuda.set_device(self.local_rank)
        dist.init_process_group("nccl")
        dataset = spectra()
        self.sampler = DistributedSampler(dataset)
        self.loader = DataLoader(dataset, batch_size=BATCH, sampler=self.sampler)
        net = nn.Sequential(nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1)).cuda()
        self.model = DistributedDataParallel(net, device_ids=[self.local_rank])
        self.optimizer = torch.optim.Adam(self.model.parameters())

    def train(self, epochs):
        for epoch in range(epochs):
            self.sampler.set_epoch(epoch)
            for spectrum, age in self.loader:
                loss = nn.functional.mse_loss(self.model(spectrum.cuda()), age.cuda())
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            self.save(epoch)

    def save(self, epoch):
        if self.rank == 0:
            torch.save(self.model.module.state_dict(), f"wine_{epoch}.pt")


def main():
    job = Job()
    job.train(epochs=12)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
