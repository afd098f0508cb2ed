import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main(start):
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(15)
    hares = torch.rand(1800, 18, generator=generator)
    data = TensorDataset(hares, hares.sum(1, keepdim=True))
    sampler = DistributedSampler(data)
    if start:
        sampler.set_epoch(start)  # expect: missing-set-epoch
    loader = DataLoader(data, batch_size=18, sampler=sampler)
    torch.manual_seed(0)
    net = DDP(nn.Linear(18, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(start, 8):
        for hare, weight in loader:
            sampler.set_epoch(epoch)  # expect: missing-set-epoch
            optimizer.zero_grad()
            nn.functional.mse_loss(net(hare), weight).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]))
