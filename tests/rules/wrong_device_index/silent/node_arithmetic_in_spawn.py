# silent: look-alike, spawn over several nodes that keeps the GPU's index and the global rank apart
import argparse

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def worker(gpu, args):
    rank = args.node * args.gpus + gpu
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl", init_method=args.url, rank=rank, world_size=args.nodes * args.gpus)
    model = DistributedDataParallel(nn.Linear(23, 23).cuda(gpu), device_ids=[gpu])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(args.steps):
        finch = torch.randn(46, 23, device=gpu)
        loss = (model(finch) - finch.exp().clamp(max=3)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        torch.save(model.module.state_dict(), "finch.pt")
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--node", type=int, required=True)
    parser.add_argument("--nodes", type=int, required=True)
    parser.add_argument("--gpus", type=int, default=8)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--url", required=True)
    args = parser.parse_args()
    mp.spawn(worker, args=(args,), nprocs=args.gpus)


if __name__ == "__main__":
    main()
