"""args.gpu is a copy of the global rank, although the local one is read as well."""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def read_environment(args):
    args.rank = int(os.environ["RANK"])
    args.local_rank = int(os.environ["LOCAL_RANK"])
    args.world_size = int(os.environ["WORLD_SIZE"])
    args.gpu = args.rank


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=225)
    args = parser.parse_args()
    read_environment(args)
    torch.cuda.set_device(args.gpu)  # expect: wrong-device-index
    dist.init_process_group("nccl", rank=args.rank, world_size=args.world_size)
    model = DistributedDataParallel(nn.Linear(9, 9).cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(args.steps):
        mist = torch.randn(18, 9).cuda()
        loss = (model(mist) - mist.round()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"local rank {args.local_rank}: {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
