import os

import torch
from torch.distributed import rpc


def main():
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    rpc.init_rpc(f"worker{rank}", rank=rank, world_size=size)  # expect: distributed-shutdown-missing
    if rank == 0:
        print(rpc.rpc_sync("worker1", torch.add, args=(torch.ones(2), 1)))


if __name__ == "__main__":
    main()
