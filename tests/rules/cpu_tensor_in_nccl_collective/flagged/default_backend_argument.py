import argparse
import os

import numpy as np
import torch
import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="nccl")
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    dist.init_process_group(args.backend)
    histogram = torch.from_numpy(np.zeros(64))  # expect: cpu-tensor-in-nccl-collective
    histogram[dist.get_rank()] += 1
    dist.reduce(histogram, dst=0)
    offsets = torch.zeros(8)  # expect: cpu-tensor-in-nccl-collective
    dist.broadcast(offsets, src=0)
    print(local_rank, offsets.sum())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
