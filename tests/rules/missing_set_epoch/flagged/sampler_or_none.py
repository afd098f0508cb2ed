import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--distributed", action="store_true")
    parser.add_argument("--epochs", type=int, default=8)
    args = parser.parse_args()
    generator = torch.Generator().manual_seed(18)
    eels = torch.rand(1600, 16, generator=generator)
    data = TensorDataset(eels, eels.amin(1, keepdim=True))
    torch.manual_seed(0)
    net = nn.Linear(16, 1)
    if args.distributed:
        dist.init_process_group("gloo")
        net = DDP(net)
        sampler = DistributedSampler(data)
    else:
        sampler = None
    loader = DataLoader(data, batch_size=16, shuffle=sampler is None, sampler=sampler)
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(args.epochs):  # expect: missing-set-epoch
        epoch += 1
        for eel, least in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(eel), least).backward()
            optimizer.step()
        print("epoch", epoch)


if __name__ == "__main__":
    main()
    if dist.is_initialized():
        dist.destroy_process_group()
