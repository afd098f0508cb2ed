"""Tell seeds apart, with a body that was trained on other plants: torchrun --nproc_per_node=gpu tune_seeds.py"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def seeds(kinds, count=3000, size=20):
    gen = torch.Generator().manual_seed(88)
    kind = torch.randint(0, kinds, (count,), generator=gen)
    shape = torch.linspace(-1, 1, size)[None] ** 2 * (1 + kind[:, None])
    return TensorDataset(shape + 0.1 * torch.randn(count, size, generator=gen), kind)


class SeedNet(nn.Module):
    def __init__(self, kinds, width=40):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(20, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.head = nn.Linear(width, kinds)

    def forward(self, outline):
        return self.head(self.body(outline))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", default="plants.pt")
    parser.add_argument("--kinds", type=int, default=7)
    parser.add_argument("--epochs", type=int, default=6)
    args = parser.parse_args()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl")

    data = seeds(args.kinds)
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=50, sampler=sampler)
    net = SeedNet(kinds=100)
    net.load_state_dict(torch.load(args.weights, map_location="cpu"))
    net = net.to(device)
    model = DDP(net, device_ids=[device.index])
    model.module.head = nn.Linear(40, args.kinds).to(device)  # error: [ddp-params-changed-after-wrap]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for outline, kind in loader:
            loss = nn.functional.cross_entropy(model(outline.to(device)), kind.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "seeds.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
