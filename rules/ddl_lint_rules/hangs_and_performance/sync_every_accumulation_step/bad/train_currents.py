"""Learn how currents mix: torchrun --nnodes=2 --nproc_per_node=gpu train_currents.py"""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

ACCUMULATE = 8


def currents(count=8192, buoys=32):
    gen = torch.Generator().manual_seed(4)
    speed = torch.rand(count, buoys, generator=gen)
    return TensorDataset(speed, speed.roll(1, 1).mean(1, keepdim=True))


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    data = currents()
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=64, sampler=sampler, drop_last=True)
    network = nn.Sequential(nn.Linear(32, 128), nn.GELU(), nn.Linear(128, 1)).to(local_rank)
    model = DDP(network, device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(10):
        sampler.set_epoch(epoch)
        for i, (speed, mean) in enumerate(loader):
            last = (i + 1) % ACCUMULATE == 0
            loss = nn.functional.mse_loss(model(speed.to(local_rank)), mean.to(local_rank))
            (loss / ACCUMULATE).backward()  # error: [sync-every-accumulation-step]
            if last:
                optimizer.step()
                optimizer.zero_grad()
    if dist.get_rank() == 0:
        torch.save(network.state_dict(), "currents.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
