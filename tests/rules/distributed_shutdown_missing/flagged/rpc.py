import sys

import torch
import torch.distributed.rpc as rpc
import torch.multiprocessing as mp


def run(rank, world_size):
    rpc.init_rpc("worker", rank=rank, world_size=world_size)  # expect: distributed-shutdown-missing
    if rank == 0:
        print(rpc.rpc_sync("worker1", torch.add, args=(torch.ones(2), 1)))
        rpc.shutdown()  # expect: distributed-shutdown-missing


if __name__ == "__main__":
    mp.spawn(run, args=(int(sys.argv[1]),), nprocs=int(sys.argv[1]))
