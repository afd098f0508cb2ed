import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

RESUME = os.environ.get("RESUME_FROM", "")


def batches(rank, steps=300):
    gen = torch.Generator().manual_seed(1000 + rank)
    for _ in range(steps):
        yield torch.randn(24, 30, generator=gen)


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29511", rank=rank, world_size=world_size)
    net = nn.Sequential(nn.Linear(30, 10), nn.ReLU(), nn.Linear(10, 30)).to(rank)
    if RESUME:
        path = os.path.join(RESUME, "autoencoder.pt")
        checkpoint = torch.load(path, weights_only=True)  # expect: load-without-map-location
        net.load_state_dict(checkpoint["net"])
    ddp = DDP(net, device_ids=[rank])
    opt = torch.optim.Adam(ddp.parameters(), lr=1e-3)
    for x in batches(rank):
        x = x.to(rank)
        opt.zero_grad()
        (ddp(x) - x).pow(2).mean().backward()
        opt.step()
    if rank == 0:
        torch.save({"net": ddp.module.state_dict()}, "autoencoder.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    count = torch.cuda.device_count()
    mp.spawn(worker, args=(count,), nprocs=count)
