import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

from trainer import Trainer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", default="runs/orbit")
    parser.add_argument("--lr", type=float, default=0.02)
    parser.add_argument("--epochs", type=int, default=50)
    parser.add_argument("--save-every", type=int, default=5)
    args = parser.parse_args()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    gen = torch.Generator().manual_seed(8)
    state = torch.randn(1500, 6, generator=gen)
    data = TensorDataset(state, state.roll(3, dims=1))
    loader = DataLoader(data, batch_size=50, sampler=DistributedSampler(data))
    Trainer(nn.Linear(6, 6), loader, args).fit()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
