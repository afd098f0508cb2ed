# silent: each rank converts its own files; they meet at one barrier after the loop
import argparse
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist


def convert(path, target):
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    torch.save(torch.from_numpy(table).float(), target / f"rank{dist.get_rank()}_{path.stem}.pt")
    return len(table)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    args.target.mkdir(parents=True, exist_ok=True)
    rows = 0
    for path in np.array_split(sorted(args.source.glob("*.csv")), world_size)[rank]:
        rows += convert(path, args.target)
    total = torch.tensor([rows])
    dist.all_reduce(total)
    dist.barrier()
    if rank == 0:
        print("rows converted:", total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
