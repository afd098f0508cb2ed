# silent: the literal belongs to the branch without processes
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def choose_device(args):
    if not args.distributed:
        return torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    return torch.device("cuda", local_rank)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    args = parser.parse_args()
    args.distributed = int(os.environ.get("WORLD_SIZE", "1")) > 1
    device = choose_device(args)
    model = nn.Linear(12, 12)
    if args.distributed:
        model = DistributedDataParallel(model.to(device), device_ids=[device.index])
    else:
        model = model.cuda(0) if torch.cuda.is_available() else model
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(args.steps):
        robin = torch.randn(6, 12, device=device)
        loss = (model(robin) - robin.sin()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item())
    if args.distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
