"""set_device is there, after the model has already gone to GPU 0."""

import argparse

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def fit(rank, args):
    dist.init_process_group("nccl", init_method=args.url, rank=rank, world_size=args.gpus)
    net = nn.Sequential(nn.Linear(26, 13), nn.ReLU(), nn.Linear(13, 2)).cuda()  # expect: set-device-missing-before-nccl
    torch.cuda.set_device(rank)
    model = DistributedDataParallel(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    for _ in range(130):
        reef = torch.randn(52, 26, device=next(net.parameters()).device)
        loss = nn.functional.cross_entropy(model(reef), (reef[:, 0] > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        torch.save(model.module.state_dict(), "reef.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpus", type=int, default=2)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--url", default="tcp://127.0.0.1:29681")
    options = parser.parse_args()
    mp.spawn(fit, args=(options,), nprocs=options.gpus)
