# silent: every process shuts its agent down, in its own arm
import os

import torch
import torch.distributed.rpc as rpc


def main():
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    if rank == 0:
        rpc.init_rpc("master", rank=rank, world_size=size)
        print(rpc.rpc_sync("worker1", torch.add, args=(torch.ones(2), 1)))
        rpc.shutdown()
    else:
        rpc.init_rpc(f"worker{rank}", rank=rank, world_size=size)
        rpc.shutdown()


if __name__ == "__main__":
    main()
