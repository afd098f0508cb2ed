import argparse

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=64)
args = parser.parse_args()
dist.init_process_group("gloo")
tides = TensorDataset(torch.randn(4000, 8), torch.randn(4000, 1))
share = args.batch_size // dist.get_world_size()
sampler = DistributedSampler(tides)
loader = DataLoader(tides, batch_size=share, sampler=sampler)
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(3):
    sampler.set_epoch(epoch)
    for features, level in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(features), level).backward()
        optimizer.step()
dist.destroy_process_group()
