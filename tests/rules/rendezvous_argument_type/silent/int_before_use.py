# silent: the text is turned into a number before it is used
import os

import torch
import torch.distributed as dist


def main():
    rank, world_size = os.environ["RANK"], os.environ["WORLD_SIZE"]
    local_rank = os.environ.get("LOCAL_RANK", -1)
    rank, world_size = map(int, (rank, world_size))
    local_rank = int(local_rank)
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    if rank == 0:
        print(world_size - 1)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
