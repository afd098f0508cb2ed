import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Engine:
    def __init__(self, device, lr=0.1):
        self.device = device
        self.model = DistributedDataParallel(nn.Linear(19, 19).to(device), device_ids=[device.index])
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)

    def train_step(self, x, y):
        output = self.model(x.to(self.device))
        loss = nn.functional.mse_loss(output, y.to(self.device))
        if loss.isnan() or loss.isinf():
            print("bad loss")
            return None  # expect: rank-local-skip-before-backward
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, loader, sampler, epochs):
        for epoch in range(epochs):
            sampler.set_epoch(epoch)
            losses = [self.train_step(x, y) for x, y in loader]
            print(epoch, sum(value for value in losses if value is not None))


def main():
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("isobars.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    Engine(device).fit(DataLoader(data, batch_size=24, sampler=sampler), sampler, epochs=30)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
