from __future__ import annotations

import argparse

import deepspeed
import torch


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--local_rank", type=int, default=-1)
    args = parser.parse_args()
    deepspeed.init_distributed("gloo")
    count = torch.ones(args.epochs)
    torch.distributed.all_reduce(count)
    print("result:", count.tolist(), flush=True)
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
