# silent: the plain loader is read once for mean and deviation; the training loader has a sampler
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def mean_and_std(data):
    total = torch.zeros(2, dtype=torch.float64)
    count = 0
    for (values,) in DataLoader(data, batch_size=500):
        total[0] += values.double().sum()
        total[1] += values.double().square().sum()
        count += values.numel()
    mean = total[0] / count
    return mean.float(), (total[1] / count - mean**2).sqrt().float()


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    generator = torch.Generator().manual_seed(3)
    data = TensorDataset(torch.rand(8000, 32, generator=generator) * 4)
    mean, std = mean_and_std(data)
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=80, sampler=sampler)
    coder = nn.Sequential(nn.Linear(32, 4), nn.ReLU(), nn.Linear(4, 32)).to(device)
    coder = DDP(coder, device_ids=[local_rank])
    optimizer = torch.optim.Adam(coder.parameters())
    for epoch in range(5):
        sampler.set_epoch(epoch)
        for (values,) in loader:
            scaled = ((values - mean) / std).to(device)
            optimizer.zero_grad()
            nn.functional.mse_loss(coder(scaled), scaled).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
