import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

from trainer import Trainer


def leaves():
    gen = torch.Generator().manual_seed(0)
    return TensorDataset(torch.rand(900, 3, 16, 16, generator=gen), torch.randint(0, 12, (900,), generator=gen))


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    data = leaves()
    loader = DataLoader(data, batch_size=30, sampler=DistributedSampler(data))
    model = nn.Sequential(nn.Flatten(), nn.Linear(768, 12))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    Trainer(model, loader, optimizer, "leaves.pt").fit(15)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
