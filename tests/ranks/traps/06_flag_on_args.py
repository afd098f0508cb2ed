import argparse
import os

import torch
import torch.distributed as dist


def share_threshold(args, scores):
    if args.distributed and args.rank != 0:
        threshold = torch.empty(1)
        dist.broadcast(threshold, 0)
        return threshold.item()
    threshold = scores.quantile(0.95).reshape(1)
    if args.distributed:
        dist.broadcast(threshold, 0)
    return threshold.item()


def main():
    args = argparse.Namespace()
    args.distributed = "WORLD_SIZE" in os.environ and int(os.environ["WORLD_SIZE"]) > 1
    args.rank = 0
    if args.distributed:
        dist.init_process_group("gloo")
        args.rank = dist.get_rank()
    generator = torch.Generator().manual_seed(args.rank)
    print(share_threshold(args, torch.rand(100, generator=generator)))


if __name__ == "__main__":
    main()
