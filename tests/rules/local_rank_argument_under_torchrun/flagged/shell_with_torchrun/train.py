import argparse

import torch
import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument(  # error: [local-rank-argument-under-torchrun]
        "--local_rank",  # set by the launcher
        default=-1,
        type=int,
    )
    args = parser.parse_args()
    if args.local_rank != -1:
        torch.cuda.set_device(args.local_rank)
        dist.init_process_group(backend="nccl", init_method="env://")
        dist.barrier()
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
