import argparse
import os
import random

import torch
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, Subset

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=11)
args = parser.parse_args()


def seed_all(seed=None):
    if seed is None:
        seed = random.getrandbits(16)
    torch.manual_seed(seed)


seed_all(args.seed)
torch.distributed.init_process_group("nccl")
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
numbers = list(range(500))
data = Subset(numbers, torch.randperm(len(numbers))[:50])
sampler = DistributedSampler(data)
model = DDP(torch.nn.Linear(1, 1).cuda())
for epoch in range(2):
    sampler.set_epoch(epoch)
    for x in DataLoader(data, sampler=sampler):
        model(x.cuda().float()).sum().backward()
torch.distributed.destroy_process_group()
