import argparse

import torch
import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--distributed", action="store_true")
    args = parser.parse_args()
    if args.distributed:
        dist.init_process_group("gloo")  # expect: distributed-shutdown-missing
    value = torch.ones(1)
    if args.distributed:
        dist.all_reduce(value)
    print(value)


main()
