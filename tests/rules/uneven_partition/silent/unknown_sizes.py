# silent: neither the length nor the world size is known before the run
import argparse

import torch
import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--global-batch", type=int, default=100)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    if args.rows % world_size:
        raise SystemExit(f"--rows must be a multiple of {world_size}")
    batch = max(1, args.global_batch // world_size)
    own = torch.empty(args.rows // world_size)
    parts = list(torch.arange(float(args.rows)).chunk(world_size)) if rank == 0 else None
    dist.scatter(own, parts, src=0)
    mean = torch.stack([piece.mean() for piece in own.split(batch)]).mean() / world_size
    dist.all_reduce(mean)
    if rank == 0:
        print("mean of means:", mean.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
