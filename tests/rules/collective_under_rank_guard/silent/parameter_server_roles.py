# silent: the processes have different roles and talk through RPC
import os

import torch
import torch.distributed as dist
import torch.distributed.rpc as rpc
from torch import nn


def run_server(world_size):
    rpc.init_rpc("server", rank=0, world_size=world_size)
    futures = [rpc.rpc_async(f"worker{index}", worker_steps, args=(20,)) for index in range(1, world_size)]
    print([future.wait() for future in futures])
    rpc.shutdown()


def worker_steps(count):
    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(count):
        loss = net(torch.rand(8, 4)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        for parameter in net.parameters():
            dist.all_reduce(parameter.grad)
        optimizer.step()
    return loss.item()


def run_worker(rank, world_size):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29777", rank=rank - 1, world_size=world_size - 1)
    rpc.init_rpc(f"worker{rank}", rank=rank, world_size=world_size)
    rpc.shutdown()


def main():
    rank, world_size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    if rank == 0:
        run_server(world_size)
    else:
        run_worker(rank, world_size)


if __name__ == "__main__":
    main()
    if dist.is_initialized():
        dist.destroy_process_group()
