import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def make_split(n, seed):
    generator = torch.Generator().manual_seed(seed)
    pulse = torch.randn(n, 50, generator=generator)
    return TensorDataset(pulse, pulse.abs().mean(1, keepdim=True))


def get_loaders(args):
    train_set, val_set = make_split(9000, 1), make_split(900, 2)
    loaders = {
        "train": DataLoader(train_set, batch_size=args.batch_size, shuffle=True, drop_last=True),  # expect: missing-distributed-sampler
        "val": DataLoader(val_set, batch_size=args.batch_size, sampler=DistributedSampler(val_set, shuffle=False)),
    }
    return loaders


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=90)
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl")
    torch.manual_seed(3)
    model = DDP(nn.Linear(50, 1).to(gpu), device_ids=[gpu])
    optimizer = torch.optim.Adam(model.parameters())
    loaders = get_loaders(args)
    for epoch in range(args.epochs):
        model.train()
        for pulse, strength in loaders["train"]:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(pulse.to(gpu)), strength.to(gpu)).backward()
            optimizer.step()
        model.eval()
        total = torch.zeros(2, device=gpu)
        with torch.no_grad():
            for pulse, strength in loaders["val"]:
                total[0] += (model(pulse.to(gpu)) - strength.to(gpu)).abs().sum()
                total[1] += strength.numel()
        dist.all_reduce(total)
        if dist.get_rank() == 0:
            print(epoch, (total[0] / total[1]).item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
