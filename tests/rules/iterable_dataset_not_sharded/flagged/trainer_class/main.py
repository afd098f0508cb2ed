import argparse
import os

import torch
import torch.distributed as dist
from torch import nn

from trainer import Trainer

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--batch-size", type=int, default=16)
    args = parser.parse_args()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    torch.manual_seed(1)
    Trainer(nn.Sequential(nn.Embedding(256, 64), nn.Linear(64, 256)), args).fit(epochs=2)
    dist.destroy_process_group()
