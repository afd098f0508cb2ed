import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    waves = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
    sampler = DistributedSampler(waves)
    loader = DataLoader(waves, batch_size=8, sampler=sampler)
    model = DistributedDataParallel(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for wind, height in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(wind), height).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
