import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    dist.init_process_group(backend="gloo")
    gen = torch.Generator().manual_seed(15)
    data = TensorDataset(torch.rand(600, 52, generator=gen), torch.rand(600, 1, generator=gen))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=20, sampler=sampler)
    network = nn.Sequential(nn.Linear(52, 26), nn.ReLU(), nn.Linear(26, 1))
    network = DistributedDataParallel(network, [local_rank])  # expect: ddp-device-ids-mismatch
    opt = torch.optim.SGD(network.parameters(), lr=0.01)
    for epoch in range(5):
        sampler.set_epoch(epoch)
        for week, demand in loader:
            opt.zero_grad()
            nn.functional.mse_loss(network(week), demand).backward()
            opt.step()
    if dist.get_rank() == 0:
        torch.save(network.module.state_dict(), "demand.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
