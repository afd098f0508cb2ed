import os

import torch
import torch.distributed as dist


def main():
    rank = int(os.environ["RANK"])
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group(  # expect: hard-coded-rendezvous
        "nccl",
        init_method="tcp://127.0.0.1:29761",
        rank=rank,
        world_size=int(os.environ["WORLD_SIZE"]),
    )
    if rank == 0:
        print(dist.get_world_size())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
