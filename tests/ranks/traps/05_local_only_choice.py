import argparse
import os
from contextlib import contextmanager

import torch
import torch.distributed as dist


def get_rank():
    return dist.get_rank() if dist.is_initialized() else 0


def get_local_rank():
    return int(os.environ.get("LOCAL_RANK", 0))


def is_primary(local_only=True):
    return (get_local_rank() if local_only else get_rank()) == 0


@contextmanager
def primary_first(local_only):
    rank = get_local_rank() if local_only else get_rank()
    if rank > 0:
        dist.barrier()
    yield
    if rank == 0:
        dist.barrier()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--node-disks", action="store_true", help="each node has a disk of its own")
    args = parser.parse_args()
    torch.cuda.set_device(get_local_rank())
    dist.init_process_group("nccl")
    with primary_first(local_only=args.node_disks):
        if is_primary(args.node_disks):
            print("unpacking the images")
    if not is_primary(args.node_disks):
        dist.barrier()
    images = torch.ones(4, device=get_local_rank())
    if is_primary(args.node_disks):
        dist.barrier()
    dist.all_reduce(images)
    if is_primary(local_only=False):
        print(images.sum().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
