# silent: the address comes from an option
import argparse
import os

import torch
import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", default="29500")
    parser.add_argument("--dist-url", default="tcp://127.0.0.1:23456")
    args = parser.parse_args()
    os.environ["MASTER_PORT"] = args.port
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    dist.init_process_group("gloo", init_method=args.dist_url, rank=rank, world_size=size)
    print(torch.ones(1))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
