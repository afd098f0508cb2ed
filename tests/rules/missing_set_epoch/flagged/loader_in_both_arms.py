import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils import data as feeding


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--distributed", action="store_true")
    parser.add_argument("--epochs", type=int, default=8)
    args = parser.parse_args()
    generator = torch.Generator().manual_seed(14)
    bogs = torch.rand(1600, 16, generator=generator)
    data = feeding.TensorDataset(bogs, bogs.amin(1, keepdim=True))
    torch.manual_seed(0)
    net = nn.Linear(16, 1)
    if args.distributed:
        dist.init_process_group("gloo")
        net = DDP(net)
        loader = feeding.DataLoader(data, batch_size=16, sampler=feeding.DistributedSampler(data))
    else:
        loader = feeding.DataLoader(data, batch_size=16, shuffle=True)
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(args.epochs):  # error: [missing-set-epoch]
        for bog, least in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(bog), least).backward()
            optimizer.step()


if __name__ == "__main__":
    main()
    if dist.is_initialized():
        dist.destroy_process_group()
