import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import checkpoints


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", default="runs/language")
    parser.add_argument("--steps", type=int, default=10000)
    return parser.parse_args()


def main():
    args = parse()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group(backend="nccl")
    net = nn.Sequential(nn.Embedding(256, 64), nn.Linear(64, 256)).to(local_rank)
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    first = checkpoints.restore(args.folder, net=net, opt=opt)
    ddp = DistributedDataParallel(net, device_ids=[local_rank])
    gen = torch.Generator().manual_seed(first * 1000 + dist.get_rank())
    for step in range(first, args.steps):
        text = torch.randint(0, 256, (16, 65), generator=gen).to(local_rank)
        opt.zero_grad()
        nn.functional.cross_entropy(ddp(text[:, :-1]).flatten(0, 1), text[:, 1:].flatten()).backward()
        opt.step()
        if step % 1000 == 999 and dist.get_rank() == 0:
            checkpoints.keep(args.folder, step + 1, net=net, opt=opt)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
