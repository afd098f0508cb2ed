# silent: unknown options are let through, and the environment is read
import argparse
import os

import torch
import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=0)
    args, rest = parser.parse_known_args()
    local_rank = int(os.getenv("LOCAL_RANK", args.local_rank))
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    print(rest)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
