import sys

import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    if rank != 0:
        sys.exit()  # expect: early-exit-before-collective
    salinity = torch.full((1,), float(rank))
    dist.all_reduce(salinity)
    print(rank, salinity.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
