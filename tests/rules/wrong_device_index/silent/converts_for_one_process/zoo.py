"""Models of this project, and how a program gets one."""
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", default="birdsong.pt")
    args = parser.parse_args()
    args.rank = int(os.getenv("RANK", "0"))
    args.world_size = int(os.getenv("WORLD_SIZE", "1"))
    args.local_rank = int(os.getenv("LOCAL_RANK", "0"))
    dist.init_process_group("nccl", rank=args.rank, world_size=args.world_size)
    return args


def build():
    return nn.Sequential(nn.Linear(128, 512), nn.GELU(), nn.Linear(512, 40))


def load(path):
    model = build()
    model.load_state_dict(torch.load(path, map_location="cpu"))
    return model
