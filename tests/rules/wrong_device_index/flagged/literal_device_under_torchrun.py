"""A notebook's device line that came along into a torchrun script."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")  # expect: wrong-device-index


def make_loader(batch_size):
    rain = torch.rand(1280, 10, generator=torch.Generator().manual_seed(14))
    dataset = TensorDataset(rain, rain.sum(dim=1))
    return DataLoader(dataset, batch_size=batch_size, sampler=DistributedSampler(dataset))


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DistributedDataParallel(nn.Linear(10, 1).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    loader = make_loader(batch_size=32)
    for epoch in range(5):
        loader.sampler.set_epoch(epoch)
        for features, target in loader:
            loss = (model(features.to(device)).squeeze(1) - target.to(device)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "rain.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
