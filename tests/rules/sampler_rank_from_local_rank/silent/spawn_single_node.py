# silent: one node, spawned processes: the local rank is the rank
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def work(local_rank, gpus, epochs):
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29611")
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl", rank=local_rank, world_size=gpus)
    generator = torch.Generator().manual_seed(1)
    shells = torch.rand(3000, 12, generator=generator)
    data = TensorDataset(shells, shells.std(1, keepdim=True))
    sampler = DistributedSampler(data, num_replicas=gpus, rank=local_rank)
    loader = DataLoader(data, batch_size=30, sampler=sampler)
    torch.manual_seed(0)
    net = DDP(nn.Linear(12, 1).to(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for shell, spread in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(shell.to(local_rank)), spread.to(local_rank)).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    gpus = torch.cuda.device_count()
    mp.spawn(work, args=(gpus, 5), nprocs=gpus)
