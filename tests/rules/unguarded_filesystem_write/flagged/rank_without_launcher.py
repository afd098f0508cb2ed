import argparse
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

RANK = int(os.environ.get("RANK", -1))
LOCAL_RANK = int(os.environ.get("LOCAL_RANK", -1))


def train(args):
    device = torch.device("cuda", max(LOCAL_RANK, 0))
    if LOCAL_RANK != -1:
        torch.cuda.set_device(device)
        dist.init_process_group("nccl")
    model = torch.nn.Linear(8, 2).to(device)
    if RANK != -1:
        model = DDP(model, device_ids=[LOCAL_RANK])
    with open("options.txt", "w") as stream:  # expect: unguarded-filesystem-write
        stream.write(str(vars(args)))
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    for _ in range(args.steps):
        optimizer.zero_grad()
        model(torch.ones(4, 8, device=device)).sum().backward()
        optimizer.step()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--steps", type=int, default=10)
    train(parser.parse_args())
    dist.destroy_process_group()
