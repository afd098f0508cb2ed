import argparse

import torch
import torch.distributed as dist


def summarize(values, everywhere):
    if not everywhere and dist.get_rank() != 0:
        return None
    total = values.sum().reshape(1)
    if everywhere:
        dist.all_reduce(total)
        dist.barrier()
    return total.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--everywhere", action="store_true")
    args = parser.parse_args()
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(dist.get_rank())
    print(summarize(torch.rand(9, generator=generator), args.everywhere))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
