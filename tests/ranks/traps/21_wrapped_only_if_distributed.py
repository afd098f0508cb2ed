import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def evaluate(model, device):
    model.eval()
    with torch.no_grad():
        score = model(torch.ones(4, 3, 8, 8, device=device)).mean().item()
    model.train()
    return score


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    args.distributed = int(os.environ.get("WORLD_SIZE", "1")) > 1
    args.rank = int(os.environ.get("RANK", "0"))
    args.gpu = int(os.environ.get("LOCAL_RANK", "0"))
    torch.cuda.set_device(args.gpu)
    if args.distributed:
        dist.init_process_group("nccl")
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Flatten(), nn.Linear(144, 1)).cuda(args.gpu)
    model_without_ddp = model
    if args.distributed:
        model = DistributedDataParallel(model, device_ids=[args.gpu])
        model_without_ddp = model.module
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    generator = torch.Generator().manual_seed(args.rank)
    for epoch in range(args.epochs):
        for _ in range(10):
            optimizer.zero_grad()
            model(torch.rand(4, 3, 8, 8, generator=generator).cuda(args.gpu)).square().mean().backward()
            optimizer.step()
        if args.rank == 0:
            print(epoch, evaluate(model_without_ddp, args.gpu))
        if not args.distributed:
            print("alone", evaluate(model, args.gpu))
    if args.distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
