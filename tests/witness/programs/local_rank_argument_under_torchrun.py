# witness: wrong
import argparse

import torch
import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=0)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    taken = torch.zeros(2)
    taken[args.local_rank] = 1  # the GPU that this process would use
    dist.all_reduce(taken)
    print("result:", taken.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
