# silent: an RPC program lives from init_rpc and uses no process group
import os

import torch
import torch.distributed.rpc as rpc
import torch.multiprocessing as mp


def add_noise(signal, scale):
    return signal + scale * torch.randn_like(signal)


def run(rank, world_size):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29710")
    rpc.init_rpc(f"node{rank}", rank=rank, world_size=world_size)
    if rank == 0:
        pending = [rpc.rpc_async(f"node{peer}", add_noise, args=(torch.zeros(4), 0.1)) for peer in range(1, world_size)]
        print(torch.stack([future.wait() for future in pending]).mean(dim=0))
    rpc.shutdown()


if __name__ == "__main__":
    mp.spawn(run, args=(3,), nprocs=3, join=True)
