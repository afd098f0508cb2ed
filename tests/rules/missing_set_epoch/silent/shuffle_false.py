# silent: shuffle=False, the order is meant to be the same each time (curriculum, sorted by length)
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def easy_first(n):
    generator = torch.Generator().manual_seed(2)
    riddle = torch.randn(n, 10, generator=generator)
    order = riddle.abs().sum(1).argsort()
    return TensorDataset(riddle[order], riddle[order].sign().prod(1, keepdim=True))


def main():
    dist.init_process_group("gloo")
    data = easy_first(5000)
    sampler = DistributedSampler(data, shuffle=False, drop_last=True)
    loader = DataLoader(data, batch_size=20, sampler=sampler)
    torch.manual_seed(0)
    net = DDP(nn.Sequential(nn.Linear(10, 40), nn.Tanh(), nn.Linear(40, 1)))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(12):
        for riddle, answer in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(riddle), answer).backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print("epoch", epoch)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
