import argparse

import numpy as np
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def batches_of(rank, world_size, args):
    """Row numbers in batches, the batches of one process."""
    rows = np.random.default_rng(args.seed).permutation(args.rows)
    batches = [rows[k : k + args.batch_size] for k in range(0, len(rows), args.batch_size)]
    own = np.array_split(np.arange(len(batches)), world_size)[rank]  # expect: uneven-partition
    return [torch.from_numpy(batches[k]) for k in own]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=4100)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    table = torch.rand(args.rows, 18, generator=torch.Generator().manual_seed(args.seed))
    torch.manual_seed(0)
    net = DDP(nn.Linear(18, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for rows in batches_of(dist.get_rank(), dist.get_world_size(), args):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(table[rows]), table[rows].std(1, keepdim=True)).backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
