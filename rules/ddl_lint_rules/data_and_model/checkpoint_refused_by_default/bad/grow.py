"""Predict how crystals grow: torchrun --nproc_per_node=4 grow.py --resume crystals.pt"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--resume", action="store_true")
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    net = nn.Sequential(nn.Linear(6, args.width), nn.ReLU(), nn.Linear(args.width, 1)).cuda()
    if args.resume:
        held = torch.load("crystals.pt", map_location="cpu")  # error: [checkpoint-refused-by-default]
        net.load_state_dict(held["net"])
    model = DDP(net, device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    torch.manual_seed(dist.get_rank())
    for _ in range(1000):
        optimizer.zero_grad()
        model(torch.randn(32, 6, device="cuda")).pow(2).mean().backward()
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save({"net": net.state_dict(), "options": args}, "crystals.pt")  # related: [checkpoint-refused-by-default]
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
