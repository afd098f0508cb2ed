# silent: a setting that is the same on all ranks decides whether and which groups are made
import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def make_group(args):
    if not args.hierarchical:
        return None
    ranks = args.members if args.members else list(range(0, dist.get_world_size(), args.stride))
    return dist.new_group(ranks)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hierarchical", action="store_true")
    parser.add_argument("--stride", type=int, default=2)
    parser.add_argument("--members", type=int, nargs="*")
    args = parser.parse_args()
    dist.init_process_group("gloo")
    group = make_group(args)
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(14, 7))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(50):
        x = torch.randn(10, 14)
        loss = (model(x) - x[:, ::2]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if group is not None and dist.get_rank(group) >= 0:
        score = loss.detach()
        dist.all_reduce(score, group=group)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
