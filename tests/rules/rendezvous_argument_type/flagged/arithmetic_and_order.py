import os

import torch
import torch.distributed as dist


def main():
    rank = os.environ["RANK"]  # expect: rendezvous-argument-type
    gpus = torch.cuda.device_count()
    torch.cuda.set_device(rank % gpus)
    dist.init_process_group("nccl")
    nodes = os.environ["WORLD_SIZE"]  # expect: rendezvous-argument-type
    if nodes > 1:
        dist.barrier()
    local_rank = os.environ["LOCAL_RANK"]  # expect: rendezvous-argument-type
    if local_rank in (-1, 0):
        print("first of this node")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
