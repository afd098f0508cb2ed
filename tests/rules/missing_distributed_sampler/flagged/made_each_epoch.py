import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(2)
    net = DDP(nn.Linear(4, 4))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    seeds = TensorDataset(torch.rand(800, 4, generator=torch.Generator().manual_seed(7)))
    for _ in range(5):
        for (seed,) in DataLoader(seeds, batch_size=8, shuffle=True):  # expect: missing-distributed-sampler
            optimizer.zero_grad()
            nn.functional.mse_loss(net(seed), seed).backward()
            optimizer.step()
    for part in ("early", "late"):
        train_data = DataLoader(seeds, 8, True)  # expect: missing-distributed-sampler
        for epoch in range(3):
            for (seed,) in train_data:
                optimizer.zero_grad()
                nn.functional.mse_loss(net(seed), seed).backward()
                optimizer.step()
        print(part)
    loader = DataLoader(seeds, batch_size=10); count = len(loader)  # expect: missing-distributed-sampler
    for step, (seed,) in zip(range(count), loader):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(seed), seed).backward()
        optimizer.step()


if __name__ == "__main__":
    main()
    dist.destroy_process_group()
