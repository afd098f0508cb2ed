import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

GPUS = 8
GLOBAL_BATCH = 100


def worker(rank):
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29585")
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=GPUS)
    generator = torch.Generator().manual_seed(8)
    berries = torch.rand(8000, 6, generator=generator)
    data = TensorDataset(berries, berries.sum(1, keepdim=True))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=GLOBAL_BATCH // GPUS, sampler=sampler)  # expect: uneven-partition
    torch.manual_seed(0)
    net = DDP(nn.Linear(6, 1).to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(5):
        sampler.set_epoch(epoch)
        for berry, total in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(berry.to(rank)), total.to(rank)).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, nprocs=GPUS)
